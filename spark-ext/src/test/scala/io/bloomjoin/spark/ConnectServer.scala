package io.bloomjoin.spark

import java.io.File
import java.net.{InetAddress, InetSocketAddress, ServerSocket, Socket}
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit
import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

/**
 * A Spark Connect server on loopback, and programs that are its clients, in JVMs of their own: the
 * client's jar holds other versions of Spark's classes than the server's. Maven puts the jars of
 * both into `target/connect`.
 */
class ConnectServer(folder: Path) {
  private val port: Int = Using.resource(new ServerSocket(0, 1, InetAddress.getLoopbackAddress))(
    _.getLocalPort
  )
  private val log = folder.resolve("server.log")
  private var server: Process = _

  private val classPath: Seq[File] =
    System.getProperty("java.class.path").split(File.pathSeparator).toSeq.map(new File(_))

  private def jars(names: String*): Seq[File] = {
    val target = Path.of(getClass.getProtectionDomain.getCodeSource.getLocation.toURI).getParent
    val all = target.resolve("connect").toFile.listFiles().toSeq
    names.map(name => all.find(_.getName.startsWith(name + "_")).get)
  }

  private def isPartOfClient(file: File): Boolean =
    !Seq("sql", "sql-api", "catalyst", "core").exists(m => file.getName.startsWith(s"spark-${m}_"))

  def start(): Unit = {
    val settings = Map(
      "spark.master" -> "local[2]",
      "spark.app.name" -> "ConnectServer",
      "spark.ui.enabled" -> "false",
      "spark.driver.bindAddress" -> "127.0.0.1",
      "spark.driver.host" -> "127.0.0.1",
      "spark.sql.warehouse.dir" -> folder.resolve("warehouse").toString,
      "spark.sql.extensions" -> classOf[BloomJoinExtensions].getName,
      "spark.connect.grpc.binding.address" -> "127.0.0.1",
      "spark.connect.grpc.binding.port" -> port.toString
    ).map { case (key, value) => s"-D$key=$value" }.toSeq
    server = launch(
      classPath ++ jars("spark-connect", "spark-pipelines"),
      settings,
      "org.apache.spark.sql.connect.service.SparkConnectServer",
      log
    )
    val patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(120)
    while (!isListening) {
      assert(
        server.isAlive && System.nanoTime() < patience,
        s"no server:\n${Files.readString(log)}"
      )
      Thread.sleep(200)
    }
  }

  private def isListening: Boolean = Try {
    Using.resource(new Socket())(_.connect(new InetSocketAddress("127.0.0.1", port), 200))
  }.isSuccess

  /** What the program prints to its standard output, line by line. */
  def run(program: String): Seq[String] = {
    val printed = folder.resolve("client.log")
    val client = launch(
      jars("spark-connect-client-jvm", "spark-connect-shims") ++ classPath.filter(isPartOfClient),
      Seq(s"-Dconnect.remote=sc://127.0.0.1:$port"),
      program,
      printed
    )
    val ended = client.waitFor(120, TimeUnit.SECONDS)
    if (!ended) client.destroyForcibly()
    assert(
      ended && client.exitValue == 0,
      s"${Files.readString(printed)}\nserver:\n${Files.readString(log)}"
    )
    Files.readAllLines(printed).asScala.toSeq
  }

  def stop(): Unit =
    if (server != null) {
      server.destroyForcibly()
      server.waitFor()
    }

  private def launch(
      jars: Seq[File],
      options: Seq[String],
      program: String,
      output: Path
  ): Process = {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val open = Seq(
      "java.lang",
      "java.lang.invoke",
      "java.lang.reflect",
      "java.io",
      "java.net",
      "java.nio",
      "java.util",
      "java.util.concurrent",
      "java.util.concurrent.atomic",
      "jdk.internal.ref",
      "sun.nio.ch",
      "sun.nio.cs",
      "sun.security.action",
      "sun.util.calendar"
    ).map(name => s"--add-opens=java.base/$name=ALL-UNNAMED")
    val logging = System.getProperty("log4j2.configurationFile", "")
    val command = Seq(java, "-Xmx1g", "-cp", jars.mkString(File.pathSeparator)) ++ open ++
      Seq("-Dio.netty.tryReflectionSetAccessible=true", s"-Dlog4j2.configurationFile=$logging") ++
      options ++ Seq(program)
    new ProcessBuilder(
      command.asJava
    ).redirectErrorStream(true).redirectOutput(output.toFile).start()
  }
}
