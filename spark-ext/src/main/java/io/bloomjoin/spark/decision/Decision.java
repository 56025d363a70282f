package io.bloomjoin.spark.decision;

import java.util.OptionalLong;

/**
 * What became of one side of one join of one query.
 *
 * @param query the id of the query's SQL execution; empty if it has not run
 * @param join the number of the join in the plan, from 1
 * @param operator the join's operator and type, such as {@code SortMergeJoin Inner}
 * @param keys the join's keys
 * @param side {@code left} or {@code right}
 * @param pruned whether a filter was put into the plan for the side
 * @param reason why, or why not
 * @param estimatedRows the side's rows as thought when the query was planned
 * @param estimatedOtherRows the other side's
 * @param actualRows the side's rows as counted when it reached the join; empty if nothing counted
 * @param actualOtherRows the other side's
 * @param filter what was built
 */
public record Decision(
    OptionalLong query,
    int join,
    String operator,
    String keys,
    String side,
    boolean pruned,
    Reason reason,
    long estimatedRows,
    long estimatedOtherRows,
    OptionalLong actualRows,
    OptionalLong actualOtherRows,
    FilterUse filter) {

  /**
   * The filter of a pruned side and what it did; zeros before it ran.
   *
   * @param state what was built, or why nothing was; empty if the side is not pruned
   * @param keys the keys in it
   * @param bytes its size
   * @param rowsTested rows of the side that were tested, wherever
   * @param rowsPruned rows of them that were dropped
   * @param buildMillis the time of the build job
   */
  public record FilterUse(
      String state, long keys, long bytes, long rowsTested, long rowsPruned, long buildMillis) {
    static final FilterUse NONE = new FilterUse("", 0, 0, 0, 0, 0);
  }

  Decision ofQuery(long id) {
    return new Decision(
        OptionalLong.of(id),
        join,
        operator,
        keys,
        side,
        pruned,
        reason,
        estimatedRows,
        estimatedOtherRows,
        actualRows,
        actualOtherRows,
        filter);
  }
}
