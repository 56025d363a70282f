package io.bloomjoin.spark.build

import java.lang.reflect.Field
import java.util.{Map => JMap}

import io.bloomjoin.spark.PruneSuite
import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.SQLExecution
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

/** The filters of a query are known while it runs, and no longer. */
class QueryFiltersSuite extends PruneSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig =
    PatienceConfig(Span(15, Seconds), Span(20, Millis))

  private def context: SparkContext = spark.sparkContext

  private val join =
    """select l.id from range(0, 3000, 1, 2) l
       join (select id * 3 as k from range(0, 300, 1, 2) where id % 7 = 3) r on l.id = r.k"""

  private def field(of: Class[_], name: String): Field = {
    val found = of.getDeclaredField(name)
    found.setAccessible(true)
    found
  }

  /** The queries of which filters are kept. */
  private def known: JMap[Long, QueryFilters] = {
    val registries =
      field(classOf[QueryFilters], "REGISTRIES").get(null).asInstanceOf[JMap[SparkContext, AnyRef]]
    val registry = registries.get(context)
    field(registry.getClass, "queries").get(registry).asInstanceOf[JMap[Long, QueryFilters]]
  }

  private def within[T](execution: Long)(body: => T): T = {
    context.setLocalProperty(SQLExecution.EXECUTION_ID_KEY, execution.toString)
    try body
    finally context.setLocalProperty(SQLExecution.EXECUTION_ID_KEY, null)
  }

  /** Runs a query with filters; its number. */
  private def ended(): Long = {
    val df = spark.sql(join)
    assert(df.collect().nonEmpty && rowsPruned(df.queryExecution.executedPlan) > 0)
    val store =
      spark.asInstanceOf[org.apache.spark.sql.classic.SparkSession].sharedState.statusStore
    val execution = eventually {
      val last = store.executionsList().map(_.executionId).max
      assert(store.execution(last).get.completionTime.isDefined)
      last
    }
    eventually(assert(known.isEmpty))
    execution
  }

  test("a thread that outlives its query has filters that end with their plan") {
    val execution = ended()
    within(execution) {
      for (adaptive <- Seq(adaptiveOn, adaptiveOff))
        withConf(adaptive: _*) {
          val df = spark.sql(join)
          assert(df.rdd.collect().length == 43)
          assert(prunings(df.queryExecution.executedPlan).nonEmpty)
        }
      assert(QueryFilters.ofCurrentQuery(context) ne QueryFilters.ofCurrentQuery(context))
    }
    assert(known.isEmpty)
  }

  test("filters that come while the end of their query is on its way go with the next query") {
    val execution = ended()
    val late = within(execution)(QueryFilters.ofCurrentQuery(context))
    known.put(execution, late)
    ended()
    assert(late.isOver)
  }

  test("the filters of a query that runs are one, and end with its event") {
    val df = spark.range(1)
    val seen = SQLExecution.withNewExecutionId(
      df.queryExecution.asInstanceOf[org.apache.spark.sql.execution.QueryExecution]
    ) {
      val filters = QueryFilters.ofCurrentQuery(context)
      assert(QueryFilters.ofCurrentQuery(context) eq filters)
      assert(known.containsValue(filters) && !filters.isOver)
      filters
    }
    eventually(assert(seen.isOver && known.isEmpty))
  }
}
