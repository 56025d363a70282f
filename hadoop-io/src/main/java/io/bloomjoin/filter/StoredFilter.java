package io.bloomjoin.filter;

/** A filter as it was read, with what its writer knew about it. */
public record StoredFilter(BloomFilter filter, FilterMetadata metadata) {}
