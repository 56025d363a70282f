/**
 * The Bloom filters, their sizes and their bytes.
 *
 * <p>Start from {@link io.bloomjoin.filter.SplitBlockBloomFilterBuilder}, which takes hashes and
 * makes a {@link io.bloomjoin.filter.SplitBlockBloomFilter}. {@link
 * io.bloomjoin.filter.FilterFormat} turns filters into bytes and back.
 */
package io.bloomjoin.filter;
