package io.bloomjoin.benchmarks;

/**
 * What a run of MapReduce's join took and gave.
 *
 * @param millis wall time
 * @param shuffleBytes that reduce tasks fetched
 * @param answer a sum over the joined rows that does not depend on their order
 */
record MapReduceRun(
    long millis,
    long shuffleBytes,
    long rowsTested,
    long rowsPruned,
    long rowsShuffled,
    long rowsJoined,
    long answer) {

  boolean hasAnswerOf(MapReduceRun other) {
    return rowsJoined == other.rowsJoined && answer == other.answer;
  }
}
