/**
 * The Bloom filters, their sizes and their bytes.
 *
 * <p>Start from {@link io.bloomjoin.filter.SplitBlockBloomFilterBuilder}, which takes hashes and
 * makes a {@link io.bloomjoin.filter.SplitBlockBloomFilter}.
 */
package io.bloomjoin.filter;
