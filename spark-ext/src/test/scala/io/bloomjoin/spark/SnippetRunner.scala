package io.bloomjoin.spark

import java.io.{File, PrintWriter, StringWriter}
import java.net.URLClassLoader
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit
import javax.tools.ToolProvider
import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.{Row, SparkSession}
import scala.jdk.CollectionConverters._
import scala.tools.nsc.Settings
import scala.tools.nsc.interpreter.{IMain, Results}
import scala.tools.nsc.interpreter.shell.ReplReporterImpl

/**
 * Runs what documents tell their readers to type: Scala and SQL in a session, Java with a job's
 * configuration, and Hadoop's commands in virtual machines of their own.
 *
 * @param folder
 *   for scratch files
 * @param fileSystem
 *   the default one of Hadoop's commands and jobs
 */
class SnippetRunner(spark: SparkSession, folder: Path, fileSystem: String) {
  private val classPath = System.getProperty("java.class.path")

  private val told = new StringWriter

  private lazy val interpreter: IMain = {
    val settings = new Settings
    settings.usejavacp.value = true
    settings.embeddedDefaults(getClass.getClassLoader)
    val main = new IMain(settings, new ReplReporterImpl(settings, new PrintWriter(told)))
    main.beQuietDuring(main.bind("spark", classOf[SparkSession].getName, spark))
    main
  }

  /** What a query or a command prints, nothing of others; fails if the snippet fails. */
  def run(snippet: Snippet): String = snippet.language match {
    case "scala" =>
      runScala(snippet.code)
      ""
    case "java" =>
      runJava(snippet.code, s"Line${snippet.line}")
      ""
    case "sql" => runSql(snippet.code)
    case "sh" => runCommand(snippet.code)
    case other => throw new IllegalArgumentException(s"Line ${snippet.line} is in '$other'.")
  }

  private def runScala(code: String): Unit = {
    told.getBuffer.setLength(0)
    val result = interpreter.interpret(code)
    assert(result == Results.Success, told)
  }

  /** The last statement's rows as `spark-sql` prints them. */
  private def runSql(code: String): String = {
    def text(row: Row): String = row.toSeq.map(v => Option(v).getOrElse("NULL")).mkString("\t")
    code.split(";").map(_.strip).filter(_.nonEmpty).map(spark.sql(_).collect()).last
      .map(text).mkString("\n")
  }

  /** Statements that may use `configuration`, behind the imports that they need. */
  private def runJava(code: String, name: String): Unit = {
    val (imports, statements) = code.linesIterator.toSeq.partition(_.startsWith("import "))
    val source = folder.resolve(s"$name.java")
    val program = imports ++ Seq(
      s"public class $name {",
      s"public static void run(${classOf[Configuration].getName} configuration) throws Exception {"
    ) ++ statements ++ Seq("}", "}")
    Files.write(source, program.asJava)
    val errors = new StringWriter
    val compiled = ToolProvider.getSystemJavaCompiler.getTask(
      new PrintWriter(errors),
      null,
      null,
      Seq("-cp", classPath, "-d", folder.toString, "-proc:none").asJava,
      null,
      ToolProvider.getSystemJavaCompiler.getStandardFileManager(null, null, null)
        .getJavaFileObjects(source)
    ).call()
    assert(compiled, errors)
    val loader = new URLClassLoader(Array(folder.toUri.toURL), getClass.getClassLoader)
    try loader.loadClass(name).getMethod("run", classOf[Configuration]).invoke(null, configuration)
    finally loader.close()
  }

  private def configuration: Configuration = {
    val configuration = new Configuration
    configuration.set("fs.defaultFS", fileSystem)
    configuration.set("hadoop.tmp.dir", folder.resolve("hadoop").toString)
    configuration
  }

  private lazy val settings: Path = {
    val directory = Files.createDirectories(folder.resolve("conf"))
    val out = Files.newOutputStream(directory.resolve("core-site.xml"))
    val own = new Configuration(false)
    Seq("fs.defaultFS", "hadoop.tmp.dir").foreach(name => own.set(name, configuration.get(name)))
    try own.writeXml(out)
    finally out.close()
    directory
  }

  private def runCommand(code: String): String =
    code.replace("\\\n", " ").linesIterator.map { line =>
      val words = "'([^']*)'|\\S+".r.findAllMatchIn(line)
        .map(word => Option(word.group(1)).getOrElse(word.matched)).toSeq
      words match {
        case Seq("hadoop", "jar", "bloomjoin-hadoop-io.jar", rest @ _*) =>
          launch("io.bloomjoin.hadoop.cli.Main" +: rest)
        case Seq("hadoop", "fs", rest @ _*) => launch("org.apache.hadoop.fs.FsShell" +: rest)
        case _ => throw new IllegalArgumentException(s"What runs '$line'?")
      }
    }.mkString("\n")

  private def launch(arguments: Seq[String]): String = {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val path = Seq(settings.toString, classPath).mkString(File.pathSeparator)
    val (out, log) = (folder.resolve("command.out"), folder.resolve("command.log"))
    val options = Seq("-Xmx512m", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", "-cp", path)
    val process = new ProcessBuilder((java +: (options ++ arguments)).asJava)
      .redirectOutput(out.toFile).redirectError(log.toFile).start()
    val ended = process.waitFor(120, TimeUnit.SECONDS)
    if (!ended) process.destroyForcibly()
    assert(ended && process.exitValue == 0, s"$arguments\n${Files.readString(log)}")
    Files.readString(out).strip
  }
}
