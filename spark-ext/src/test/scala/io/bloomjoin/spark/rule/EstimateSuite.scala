package io.bloomjoin.spark.rule

import io.bloomjoin.spark.build.FilterSettings
import io.bloomjoin.spark.decision.Reason
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{BooleanType, IntegerType, StringType}
import org.scalatest.funsuite.AnyFunSuite

/** The arithmetic of estimates and costs, at its edges. */
class EstimateSuite extends AnyFunSuite {
  private val sizes = Seq(0.0, 1.0, 2.0, 1e6, Long.MaxValue.toDouble, 1e300)
  private val shares = Seq(0.0, Double.MinPositiveValue, 1e-9, 0.5, 1.0)

  private val estimates = for {
    rows <- sizes
    kept <- shares
    counted <- Seq(true, false)
  } yield new Estimate(rows, kept, counted)

  private def assertSound(estimate: Estimate): Unit = {
    assert(estimate.rows >= 0, estimate)
    assert(estimate.kept >= 0 && estimate.kept <= 1, estimate)
  }

  test("rows are never negative and shares lie between 0 and 1") {
    for (rows <- Seq(-1.0, Double.NegativeInfinity) ++ sizes; kept <- Seq(-1.0, 2.0) ++ shares)
      assertSound(new Estimate(rows, kept, true))
  }

  test("reducing to a share keeps estimates sound") {
    for (estimate <- estimates; share <- shares) {
      val reduced = estimate.reducedTo(share)
      assertSound(reduced)
      assert(reduced.rows <= estimate.rows && reduced.kept <= estimate.kept)
    }
    assert(new Estimate(10, 0.5, true).reducedTo(0.2) == new Estimate(2, 0.1, true))
  }

  test("a count corrects the share of an estimate that rests on a count") {
    assert(new Estimate(100, 0.1, true).measured(500) == new Estimate(500, 0.5, true))
    assert(new Estimate(100, 0.1, true).measured(5000) == new Estimate(5000, 1, true))
    assert(new Estimate(100, 0.1, false).measured(500) == new Estimate(500, 0.1, false))
  }

  test("no rows keep no keys") {
    for (estimate <- estimates)
      assert(estimate.measured(0) == new Estimate(0, 0, true))
  }

  test("a count of any size keeps estimates sound") {
    for (estimate <- estimates; rows <- sizes) {
      val measured = estimate.measured(rows)
      assertSound(measured)
      assert(measured.rows == rows)
    }
  }

  private def settings(minPrunedRows: Long = 0, maxSelectivity: Double = 1) =
    new PruneSettings(
      new FilterSettings(0.01, 1L << 20, 0.95, 1000),
      minPrunedRows,
      maxSelectivity,
      3
    )

  private def keys(
      estimate: Estimate,
      unique: Boolean = false,
      extra: Boolean = false,
      idle: Double = 0
  ) = new KeyExchange(null, java.util.List.of(), estimate, unique, extra, idle)

  test("a gain is a number for sides of any size") {
    for (large <- estimates; small <- estimates; unique <- Seq(true, false)) {
      val gain = Cost.gain(large, keys(small, unique), settings())
      assert(!gain.isNaN, s"$large by $small")
      val through =
        Cost.gainThrough(Partner.streamed(large), large, keys(small, unique), settings())
      assert(!through.isNaN, s"$large by $small")
    }
  }

  test("the share of keys that are left lies between the share of rows and 1") {
    for (large <- estimates; small <- estimates) {
      val kept = keys(small).keptKeys(large)
      assert(kept >= small.kept && kept <= 1, s"$large by $small")
      assert(keys(small, unique = true).keptKeys(large) == small.kept)
    }
  }

  test("a key of many rows is gone only with the last of them") {
    val fact = keys(new Estimate(400, 0.1, true))
    assert(fact.keptKeys(new Estimate(4000, 1, true)) == 0.1)
    assert(fact.keptKeys(new Estimate(8000, 1, true)) == 0.1)
    assert(math.abs(fact.keptKeys(new Estimate(1000, 1, true)) - (1 - math.pow(0.9, 4))) < 1e-12)
    assert(math.abs(fact.keptKeys(new Estimate(500, 0.5, true)) - (1 - math.pow(0.9, 4))) < 1e-12)
  }

  test("a shuffle only for the pruning has its price") {
    val large = new Estimate(1e6, 1, true)
    val small = new Estimate(5e5, 0.1, true)
    assert(
      Cost.gain(large, keys(small, extra = true), settings()) <
        Cost.gain(large, keys(small), settings())
    )
  }

  test("idle cores count for as much as they could have done meanwhile") {
    val large = new Estimate(1e6, 1, true)
    val small = new Estimate(1000, 0.5, true)
    val free = Cost.gain(large, keys(small), settings())
    assert(free - Cost.gain(large, keys(small, idle = 1e6), settings()) == 1e6)
    val most = Cost.gain(large, keys(small, idle = 1e12), settings())
    assert(most == Cost.gain(large, keys(small, idle = 1e300), settings()))
    assert(most < 0 && most > free - 1e6 * 400)
    assert(Cost.against(large, keys(small, idle = 1e12), settings()) == Reason.WAITS_TOO_LONG)
    assert(Cost.against(large, keys(small), settings()) == null)
    val huge = keys(new Estimate(1e8, 0.1, true), unique = true, idle = 1e12)
    assert(Cost.against(large, huge, settings()) == Reason.COSTS_MORE)
  }

  test("pruning a hash table pays by the rows that stream past it") {
    val table = new Estimate(1000, 1, true)
    val small = keys(new Estimate(1, 0.1, true))
    assert(Cost.gainThrough(
      Partner.streamed(new Estimate(1e6, 1, true)),
      table,
      small,
      settings()
    ) > 0)
    assert(Cost.gainThrough(
      Partner.streamed(new Estimate(1e6, 0.01, true)),
      table,
      small,
      settings()
    ) > 0)
    assert(Cost.gainThrough(
      Partner.streamed(new Estimate(10, 1, true)),
      table,
      small,
      settings()
    ) <= 0)
    val full = keys(new Estimate(25, 1, true))
    assert(Cost.gainThrough(
      Partner.streamed(new Estimate(1e6, 1, true)),
      table,
      full,
      settings()
    ) <= 0)
  }

  test("pruning pays for a large side and a selective small one only") {
    val large = new Estimate(1e6, 1, true)
    assert(Cost.gain(large, keys(new Estimate(1000, 0.1, true)), settings()) > 0)
    assert(Cost.gain(large, keys(new Estimate(1000, 1, true)), settings()) <= 0)
    assert(Cost.gain(large, keys(new Estimate(1e8, 0.1, true)), settings()) <= 0)
    assert(Cost.gain(new Estimate(0, 1, true), keys(new Estimate(1000, 0.1, true)), settings()) <=
      0)
    assert(Cost.gain(large, keys(new Estimate(0, 0, true)), settings()) > 0)
  }

  test("the settings rule out what pays too little") {
    val large = new Estimate(1000, 1, true)
    val small = new Estimate(10, 0.3, true)
    assert(Cost.gain(large, keys(small), settings(minPrunedRows = 700)) > 0)
    assert(Cost.gain(large, keys(small), settings(minPrunedRows = 701)) <= 0)
    assert(Cost.gain(large, keys(small), settings(minPrunedRows = Long.MaxValue)) <= 0)
    assert(Cost.gain(large, keys(small), settings(maxSelectivity = 0.3)) > 0)
    assert(Cost.gain(large, keys(small), settings(maxSelectivity = 0.29)) <= 0)
    assert(Cost.gain(large, keys(new Estimate(0, 0, true)), settings(maxSelectivity = 0)) > 0)
  }

  // ---- predicates

  private val number = AttributeReference("n", IntegerType)()
  private val text = AttributeReference("s", StringType)()
  private val flag = AttributeReference("b", BooleanType)()

  private val predicates: Seq[Expression] = Seq(
    Literal.TrueLiteral,
    Literal.FalseLiteral,
    Literal.create(null, BooleanType),
    EqualTo(number, Literal(3)),
    EqualNullSafe(number, Literal(3)),
    EqualTo(number, number),
    LessThan(number, Literal(3)),
    GreaterThanOrEqual(Literal(3), number),
    LessThan(number, number),
    In(number, Seq.empty),
    In(number, Seq.fill(3)(Literal(1))),
    In(number, Seq.fill(300)(Literal(1))),
    InSet(number, Set.empty),
    InSet(number, (1 to 50).toSet),
    IsNull(number),
    IsNotNull(number),
    StartsWith(text, Literal("a")),
    Contains(text, Literal("a")),
    Like(text, Literal("%a"), '\\'),
    RLike(text, Literal("a+")),
    flag
  )

  test("the share of a predicate lies between 0 and 1, however it is combined") {
    val combined = predicates ++
      predicates.map(Not(_)) ++
      (for (a <- predicates; b <- predicates) yield And(a, Not(b))) ++
      (for (a <- predicates; b <- predicates) yield Or(a, Or(b, Not(a))))
    combined.foreach { predicate =>
      val share = Selectivity.of(predicate)
      assert(share >= 0 && share <= 1, predicate)
    }
  }

  test("constants keep all or nothing") {
    assert(Selectivity.of(Literal.TrueLiteral) == 1)
    assert(Selectivity.of(Literal.FalseLiteral) == 0)
    assert(Selectivity.of(Literal.create(null, BooleanType)) == 0)
    assert(Selectivity.of(IsNotNull(number)) == 1)
    assert(Selectivity.of(InSet(number, Set.empty)) == 0)
    assert(Selectivity.ofAll(Seq.empty) == 1)
  }

  test("more conditions keep less, more choices keep more") {
    val equal = EqualTo(number, Literal(3))
    assert(Selectivity.of(And(equal, equal)) < Selectivity.of(equal))
    assert(Selectivity.of(Or(equal, equal)) > Selectivity.of(equal))
    assert(Selectivity.ofAll(Seq(equal, flag)) == Selectivity.of(And(equal, flag)))
    assert(
      Selectivity.of(In(number, Seq(Literal(1), Literal(2)))) >
        Selectivity.of(In(number, Seq(Literal(1))))
    )
    assert(Selectivity.of(equal) < Selectivity.of(LessThan(number, Literal(3))))
  }

  test("a long conjunction underflows to nothing, not below") {
    val conjunction = (1 to 1000).map(i => EqualTo(number, Literal(i)): Expression).reduce(And(
      _,
      _
    ))
    assert(Selectivity.of(conjunction) == 0)
  }
}
