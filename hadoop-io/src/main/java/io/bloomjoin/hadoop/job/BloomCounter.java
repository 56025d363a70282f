package io.bloomjoin.hadoop.job;

/** What the jobs count. */
public enum BloomCounter {
  /** Rows that were read for their keys. */
  ROWS,
  /** Rows with a null in the key; they match nothing. */
  NULL_KEYS,
  /** Rows whose key could not be read, and was taken for null as it was asked for. */
  BAD_KEYS,
  /** Rows whose key was looked up in the filter. */
  TESTED,
  /** Rows that the filter proved to match nothing. */
  PRUNED,
  /** Rows that the filter let pass. */
  PASSED,
  /** Times that a filter was read from its file; tasks in one virtual machine share it. */
  FILTERS_READ,
  /** Tasks whose filter could not be read; they let every row pass. */
  FILTERS_UNREADABLE,
  /** Rows of the large side that were sent through the shuffle. */
  SHUFFLED_LARGE,
  /** Rows of the small side that were sent through the shuffle. */
  SHUFFLED_SMALL,
  /** Rows that the join wrote. */
  JOINED
}
