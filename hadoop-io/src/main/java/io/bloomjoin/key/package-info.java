/**
 * From typed keys to the 64-bit hashes that filters hold.
 *
 * <p>Start from {@link io.bloomjoin.key.KeyHash}.
 */
package io.bloomjoin.key;
