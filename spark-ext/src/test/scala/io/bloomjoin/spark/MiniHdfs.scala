package io.bloomjoin.spark

import java.nio.charset.StandardCharsets
import java.nio.file.Path
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path => HadoopPath}
import org.apache.hadoop.hdfs.MiniDFSCluster
import scala.util.Using

/** HDFS with one data node in this virtual machine, its blocks below `folder`. */
class MiniHdfs(folder: Path) {
  private val cluster = {
    val configuration = new Configuration
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString)
    new MiniDFSCluster.Builder(configuration).numDataNodes(1).build()
  }
  cluster.waitActive()

  private val files: FileSystem = cluster.getFileSystem

  val uri: String = files.getUri.toString

  /** Writes a file of lines in UTF-8. */
  def write(path: String, lines: Seq[String]): Unit =
    Using.resource(files.create(new HadoopPath(path))) {
      _.write(lines.map(_ + "\n").mkString.getBytes(StandardCharsets.UTF_8))
    }

  /** The lines of a folder's part files, sorted. */
  def lines(folder: String): Seq[String] =
    files.globStatus(new HadoopPath(folder, "part-*")).toSeq.flatMap { file =>
      val text = Using.resource(files.open(file.getPath)) { in =>
        new String(in.readAllBytes(), StandardCharsets.UTF_8)
      }
      // Not by readers of lines, for which other characters end lines, too.
      text.split("\n", -1).dropRight(1)
    }.sorted

  def stop(): Unit = cluster.shutdown()
}
