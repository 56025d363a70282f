package io.bloomjoin.spark

import java.io.File
import java.net.{InetAddress, ServerSocket}
import java.nio.file.{Files, Path}
import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

/**
 * A standalone cluster on loopback, its master, workers and executors in JVMs of their own. The
 * class path is the test's.
 */
class StandaloneCluster(workers: Int, folder: Path) {
  private val processes = ArrayBuffer.empty[Process]
  private val port = freePort()
  private val classPath = System.getProperty("java.class.path").split(File.pathSeparator).toSeq
  private val home = Files.createDirectories(folder.resolve("home"))

  val master: String = s"spark://127.0.0.1:$port"

  /** The part of the class path that is not in jars, for `spark.executor.extraClassPath`. */
  val classFolders: String =
    classPath.filter(new File(_).isDirectory).mkString(File.pathSeparator)

  def start(): Unit = {
    val jars = Files.createDirectories(home.resolve("jars"))
    classPath.map(new File(_)).filter(_.isFile).zipWithIndex.foreach { case (jar, i) =>
      Files.createSymbolicLink(jars.resolve(s"$i-${jar.getName}"), jar.toPath.toAbsolutePath)
    }
    launch("master", "org.apache.spark.deploy.master.Master", "--port", port.toString)
    (1 to workers).foreach { i =>
      val work = Files.createDirectories(folder.resolve(s"work-$i")).toString
      launch(
        s"worker-$i",
        "org.apache.spark.deploy.worker.Worker",
        "--cores",
        "1",
        "--memory",
        "1g",
        "--work-dir",
        work,
        master
      )
    }
  }

  /** The JVMs that run tasks. */
  def executors: Seq[ProcessHandle] =
    processes.toSeq.flatMap(_.descendants().iterator().asScala).filter { process =>
      process.info.commandLine.toScala.exists(_.contains("CoarseGrainedExecutorBackend"))
    }

  def stop(): Unit = {
    val all = processes.toSeq.flatMap(p => p.descendants().iterator().asScala.toSeq :+ p.toHandle)
    all.foreach(_.destroyForcibly())
    processes.foreach(_.waitFor())
  }

  private def launch(name: String, program: String, arguments: String*): Unit = {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val options = Seq("-Xmx512m", "-cp", classPath.mkString(File.pathSeparator))
    val command = Seq(java) ++ options ++
      Seq(program, "--host", "127.0.0.1", "--webui-port", "0") ++ arguments
    val builder = new ProcessBuilder(command.asJava)
    builder.environment().put("SPARK_HOME", home.toString)
    builder.environment().put("SPARK_SCALA_VERSION", "2.13")
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1")
    builder.redirectErrorStream(true)
    builder.redirectOutput(folder.resolve(s"$name.log").toFile)
    processes += builder.start()
  }

  private def freePort(): Int = {
    val socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress)
    try socket.getLocalPort
    finally socket.close()
  }
}
