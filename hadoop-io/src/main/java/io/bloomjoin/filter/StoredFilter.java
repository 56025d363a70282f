package io.bloomjoin.filter;

import java.io.Serializable;
import java.util.Objects;

/** A filter as it was read or is to be kept, with what its writer knew about it. Immutable. */
public final class StoredFilter implements Serializable {

  // No record, as Kryo 4, which Spark has, cannot make records.

  private static final long serialVersionUID = 1L;

  private final BloomFilter filter;
  private final FilterMetadata metadata;

  public StoredFilter(BloomFilter filter, FilterMetadata metadata) {
    this.filter = Objects.requireNonNull(filter, "filter");
    this.metadata = Objects.requireNonNull(metadata, "metadata");
  }

  public BloomFilter filter() {
    return filter;
  }

  public FilterMetadata metadata() {
    return metadata;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredFilter that
        && filter.equals(that.filter)
        && metadata.equals(that.metadata);
  }

  @Override
  public int hashCode() {
    return Objects.hash(filter, metadata);
  }

  @Override
  public String toString() {
    return "StoredFilter[" + filter + ", " + metadata + "]";
  }
}
