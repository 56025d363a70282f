package io.bloomjoin.spark.plan

import io.bloomjoin.spark.PruneSuite
import io.bloomjoin.spark.build.FilterSettings
import org.apache.spark.sql.catalyst.expressions.{Add, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.execution.{RangeExec, SparkPlan}
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec

/** The operator as a node of Spark's trees. */
class BloomPruneExecSuite extends PruneSuite {
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    table("large", spark.range(0, 1000).selectExpr("id", "id % 50 as k"))
    table("small", spark.range(0, 50).selectExpr("id as k", "id % 5 as x"), files = 1)
  }

  private val settings = new FilterSettings(0.01, 1L << 20, 0.95, 1000)

  private def range(count: Int): SparkPlan =
    spark.range(count).queryExecution.sparkPlan.collectFirst { case r: RangeExec => r }.get

  private def exchange(child: SparkPlan): SparkPlan =
    ShuffleExchangeExec(HashPartitioning(child.output, 4), child)

  private def prune(
      left: SparkPlan,
      right: SparkPlan,
      settings: FilterSettings = settings,
      leftKey: SparkPlan => Expression = _.output.head,
      rightKey: SparkPlan => Expression = _.output.head
  ) = new BloomPruneExec(Seq(leftKey(left)), Seq(rightKey(right)), settings, left, right)

  test("a copy is equal") {
    val node = prune(range(10), exchange(range(5)))
    assert(node.transformExpressions { case e => e } == node)
    assert(node.clone() == node && node.clone().hashCode == node.hashCode)
    assert(node.withNewChildren(node.children) == node)
    assert(node.makeCopy(node.productIterator.map(_.asInstanceOf[AnyRef]).toArray) == node)
    assert(node.mapChildren(identity) == node)
    assert(node.productIterator.size == node.productArity)
    assert(node != node.left && !node.equals(null))
  }

  test("a rewritten copy has the new expressions and children") {
    val node = prune(range(10), exchange(range(5)))
    val shifted = node.mapExpressions(e => Add(e, Literal(1L)))
      .asInstanceOf[BloomPruneExec]
    assert(shifted != node && shifted.leftKeys == node.leftKeys.map(Add(_, Literal(1L))))
    val other = range(20)
    val moved = node.withNewChildren(Seq(other, node.right)).asInstanceOf[BloomPruneExec]
    assert(moved.left == other && moved.right == node.right && moved.leftKeys == node.leftKeys)
  }

  test("nodes that do the same have one canonical form, whatever their attributes' ids") {
    val a = prune(range(10), exchange(range(5)))
    val b = prune(range(10), exchange(range(5)))
    assert(a != b && a.sameResult(b))
    assert(a.canonicalized.hashCode == b.canonicalized.hashCode)
  }

  test("pruned and unpruned plans are never taken for each other") {
    val left = range(10)
    val node = prune(left, exchange(range(5)))
    assert(!node.sameResult(left))
    assert(!exchange(node).sameResult(exchange(left)))
  }

  test("the canonical form tells keys, small sides and settings apart") {
    val (left, right) = (range(10), exchange(range(5)))
    val node = prune(left, right)
    def shifted(plan: SparkPlan): Expression = Add(plan.output.head, Literal(1L))
    assert(!node.sameResult(prune(left, exchange(range(6)))))
    assert(!node.sameResult(prune(range(11), right)))
    assert(!node.sameResult(prune(left, right, leftKey = shifted)))
    assert(!node.sameResult(prune(left, right, rightKey = shifted)))
    assert(!node.sameResult(prune(left, right, new FilterSettings(0.02, 1L << 20, 0.95, 1000))))
  }

  test("rows, partitions and order are those of the left side") {
    val left = exchange(range(10))
    val node = prune(left, exchange(range(5)))
    assert(node.output == left.output)
    assert(node.outputPartitioning == left.outputPartitioning)
    assert(node.outputOrdering == left.outputOrdering)
    assert(node.references.subsetOf(node.inputSet) && node.missingInput.isEmpty)
    assert(!node.supportsColumnar)
  }

  test("a plan prints the operator, its keys and the state of its filter") {
    val node = prune(range(10), exchange(range(5)))
    assert(
      node.simpleString(100).matches("""BloomPrune \[id#\d+L?\] in \[id#\d+L?\], not built yet""")
    )
    assert(node.verboseStringWithOperatorId().contains("Left keys: [id#"))
    assert(node.nodeName == "BloomPrune")
  }

  test("explain shows the operator in every format") {
    val sql = "select l.id from large l join small s on l.k = s.k where s.x = 2"
    val formats = Seq(
      adaptiveOn -> Seq("", "extended", "formatted", "cost"),
      adaptiveOff -> Seq("", "formatted", "codegen")
    )
    for ((mode, names) <- formats; format <- names)
      withConf(mode: _*) {
        val text = spark.sql(s"explain $format $sql").head().getString(0)
        assert(text.contains("BloomPrune"), s"$format: $text")
      }
  }

  test("the operator's metrics add up") {
    for (mode <- everyMode)
      withConf(mode: _*) {
        val (plan, rows) =
          run("select l.id from large l join small s on l.k = s.k where s.x = 2")
        val node = prunings(plan).head
        def metric(name: String) = node.longMetric(name).value
        assert(rows.size == 200)
        assert(metric("rowsTested") == 1000)
        assert(metric("rowsTested") - metric("rowsPruned") >= 200)
        assert(metric("rowsPruned") > 700)
        assert(metric("filterKeys") == 10)
        assert(metric("filterSize") == 8)
        assert(metric("unfilteredTasks") == 0)
        assert(node.filterState().startsWith("bitmap, 10 keys"))
      }
  }

  test("values of keys are collected only where a scan below can use them") {
    spark.table("large").write.json(directory.resolve("json").toString)
    spark.read.json(directory.resolve("json").toString).createOrReplaceTempView("json")
    val (scan, interpreted) = ("large", everyMode.filter(_.exists(_._2 == "NO_CODEGEN")))
    val unused = Seq("json", "(select id, k + 1 as k from large)", "range(1000)")
    def collected(large: String, mode: Conf): Boolean = withConf(mode: _*) {
      val key = if (large.startsWith("range")) "id" else "k"
      val (plan, _) = run(s"select l.id from $large l join small s on l.$key = s.k where s.x = 2")
      val values = prunings(plan).map(_.awaitFilter().values())
      assert(values.nonEmpty, s"in\n$plan")
      values.exists(!_.isEmpty)
    }
    for (mode <- everyMode) {
      assert(collected(scan, mode) != interpreted.contains(mode), s"in $mode")
      unused.foreach(large => assert(!collected(large, mode), s"of $large in $mode"))
    }
  }
}
