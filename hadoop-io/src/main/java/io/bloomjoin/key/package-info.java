/** Placeholder. */
package io.bloomjoin.key;
