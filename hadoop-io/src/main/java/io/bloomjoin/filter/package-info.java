/** Placeholder. */
package io.bloomjoin.filter;
