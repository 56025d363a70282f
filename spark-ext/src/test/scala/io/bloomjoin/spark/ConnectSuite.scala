package io.bloomjoin.spark

import java.nio.file.Files
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** The functions through Spark Connect's own server and client. */
class ConnectSuite extends AnyFunSuite with BeforeAndAfterAll {
  private val server = new ConnectServer(Files.createTempDirectory("bloomjoin-connect"))

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    server.start()
  }

  override protected def afterAll(): Unit = {
    try server.stop()
    finally super.afterAll()
  }

  test("a client builds, unites and asks filters") {
    val printed = server.run("io.bloomjoin.spark.ConnectClient").filter(_.contains("="))
      .map { line => line.takeWhile(_ != '=') -> line.dropWhile(_ != '=').drop(1) }.toMap
    assert(printed("client") == "org.apache.spark.sql.connect.SparkSession")
    assert(printed("sql") == "0.001")
    assert(printed("held") == "500")
    assert(printed("passed").toInt < 25)
    assert(printed("narrow") == "500")
    assert(math.abs(printed("united").toInt - 100) < 5)
    assert(printed("other session") == "7")
    val view = printed("view").toInt
    assert(view >= 5 && view <= 7)
    assert(printed("refused").contains("fpp must be a number from 1.0E-12 to below 1, got 2"))
    assert(printed("described") == "Function: bloom_agg")
  }
}
