package io.bloomjoin.spark.rule;

/** A side of a join. */
enum JoinSide {
  LEFT(0),
  RIGHT(1);

  private final int child;

  JoinSide(int child) {
    this.child = child;
  }

  /** The place of the side's plan among the children of the join. */
  int child() {
    return child;
  }

  JoinSide other() {
    return this == LEFT ? RIGHT : LEFT;
  }
}
