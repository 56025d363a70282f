package io.bloomjoin.spark.fuzz

import java.nio.file.Files

import io.bloomjoin.spark.BloomJoinExtensions
import org.apache.spark.sql.SparkSession

/** The program behind `bin/fuzz`. */
object FuzzMain {
  private val help =
    """Compares answers of random queries, with stock Spark's plans and with all prunings that can be.
      |
      |bin/fuzz [--seed N] [--queries N] [--minutes M]
      |
      |  --seed     of tables, queries and settings; default: the time, which is printed
      |  --queries  how many at most; default: 200, or no end with --minutes
      |  --minutes  after which no query is started; default: no end
      |
      |Exit status: 0 if all answers are equal, 1 if one differs or the run tells too little, since few
      |queries were pruned or many fail with stock plans, too; 2 if the options are wrong.""".stripMargin

  def main(arguments: Array[String]): Unit = {
    if (arguments.contains("--help")) {
      println(help)
      sys.exit(0)
    }
    val options = parse(arguments)
    val seed = options.getOrElse("--seed", System.currentTimeMillis / 1000)
    val minutes = options.get("--minutes")
    val queries = options.getOrElse("--queries", if (minutes.isEmpty) 200L else Int.MaxValue.toLong)
    val end = minutes.map(m => System.nanoTime + m * 60L * 1000 * 1000 * 1000)
    println(s"Seed $seed")
    val totals = run(seed, queries.toInt, () => end.forall(System.nanoTime < _))
    println(s"Seed $seed, ${totals.text}")
    totals.problems.foreach(problem => println(s"Failed: $problem"))
    sys.exit(if (totals.problems.isEmpty) 0 else 1)
  }

  private def parse(arguments: Array[String]): Map[String, Long] =
    arguments.grouped(2).map {
      case Array(option @ ("--seed" | "--queries" | "--minutes"), value)
          if value.matches("\\d{1,9}|\\d{10}") => option -> value.toLong
      case other =>
        Console.err.println(s"bin/fuzz: cannot read ${other.mkString(" ")}\n\n$help")
        sys.exit(2)
    }.toMap

  private def run(seed: Long, queries: Int, goesOn: () => Boolean): Totals = {
    val directory = Files.createTempDirectory("fuzz")
    val spark = SparkSession.builder().master("local[2]").appName("bloomjoin fuzz")
      .config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.extensions", classOf[BloomJoinExtensions].getName)
      .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString)
      .getOrCreate()
    try new Fuzz(spark, directory, println).run(seed, queries, goesOn)
    finally spark.stop()
  }
}
