package io.bloomjoin.spark.decision

import java.util.OptionalLong

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** The log forgets the oldest, whatever is put in. */
class DecisionLogSuite extends AnyFunSuite {
  private def decision(join: Int) = new Decision(
    OptionalLong.empty,
    join,
    "SortMergeJoin Inner",
    "a = b",
    "left",
    false,
    Reason.FEW_ROWS,
    1,
    1,
    OptionalLong.empty,
    OptionalLong.empty,
    Decision.FilterUse.NONE
  )

  test("a session keeps its last decisions") {
    val queries = DecisionLog.MAX_DECISIONS / 2 + 7
    (1 to queries).foreach { id =>
      DecisionLog.keep("one", id, Seq(decision(1), decision(2)).asJava)
    }
    val kept = DecisionLog.of("one").asScala
    assert(kept.size == DecisionLog.MAX_DECISIONS)
    assert(kept.last.query == OptionalLong.of(queries) && kept.last.join == 2)
    assert(kept.head.query == OptionalLong.of(8))
  }

  test("the last sessions are kept") {
    (1 to DecisionLog.MAX_SESSIONS + 5).foreach { i =>
      DecisionLog.keep(s"session $i", i, Seq(decision(1)).asJava)
    }
    assert(DecisionLog.of("session 1").isEmpty)
    assert(DecisionLog.of(s"session ${DecisionLog.MAX_SESSIONS + 5}").size == 1)
  }
}
