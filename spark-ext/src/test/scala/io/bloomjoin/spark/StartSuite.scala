package io.bloomjoin.spark

import java.lang.management.ManagementFactory
import java.nio.file.Path

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession
import org.scalatest.funsuite.AnyFunSuite

/** Sessions that start with settings of ours, each in a JVM that has loaded nothing of ours yet. */
class StartSuite extends AnyFunSuite {
  private def start(setting: String): String = {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val opens =
      ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filter(_.startsWith("--"))
    val command = Seq(java, "-Xmx512m") ++ opens ++
      Seq(
        "-cp",
        System.getProperty("java.class.path"),
        "io.bloomjoin.spark.StartedSession",
        setting
      )
    val process = new ProcessBuilder(command.asJava).redirectErrorStream(true).start()
    val output = new String(process.getInputStream.readAllBytes())
    process.waitFor()
    output
  }

  test("a session with a bad value says which, and what is allowed, and does not start") {
    val output = start("spark.bloomjoin.fpp=2")
    assert(output.contains("spark.bloomjoin.fpp"), output)
    assert(output.contains("'2.0'"), output)
    assert(output.contains("must be greater than 0 and less than 1"), output)
    assert(!output.contains("started with"), output)
  }

  test("a session takes good values") {
    val output = start("spark.bloomjoin.fpp=0.5")
    assert(output.contains("started with 0.5"), output)
  }
}

/** Starts a session with a setting, and says that it did. */
object StartedSession {
  def main(settings: Array[String]): Unit = {
    val builder = SparkSession.builder().master("local[1]")
      .config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.extensions", classOf[BloomJoinExtensions].getName)
    for (setting <- settings) {
      val Array(key, value) = setting.split("=")
      builder.config(key, value)
    }
    val session = builder.getOrCreate()
    session.range(1).collect()
    println("started with " + session.conf.get("spark.bloomjoin.fpp"))
    session.stop()
  }
}
