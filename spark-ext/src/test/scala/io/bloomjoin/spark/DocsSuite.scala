package io.bloomjoin.spark

import io.bloomjoin.filter.SplitBlockSizing
import io.bloomjoin.spark.decision.{DecisionsFunction, Reason}
import java.nio.file.{Files, Path}
import java.util.Locale
import scala.jdk.CollectionConverters._
import scala.util.Try

/**
 * The documents say what the code does. Where a part of one is made from the code, a failure prints
 * the text that belongs there.
 */
class DocsSuite extends PruneSuite {
  private val root: Path =
    Iterator.iterate(Path.of("").toAbsolutePath)(_.getParent)
      .find(dir => Files.exists(dir.resolve("docs/settings.md"))).get

  private val documents: Seq[Path] = Seq("", "docs", "python", "notebooks").map(root.resolve)
    .flatMap(dir => Files.list(dir).iterator().asScala.filter(_.toString.endsWith(".md"))).sorted

  private def text(path: String): String = Files.readString(root.resolve(path))

  /** Compares what stands between the markers of `part` with what the code says. */
  private def assertGenerated(path: String, part: String, expected: Seq[String]): Unit = {
    val (begin, end) = (s"<!-- $part:begin -->\n", s"<!-- $part:end -->")
    val document = text(path)
    assert(document.contains(begin) && document.contains(end), s"$path has no markers of $part")
    val stated = document.substring(document.indexOf(begin) + begin.length, document.indexOf(end))
    if (stated != expected.mkString("", "\n", "\n"))
      fail(s"$path should have, between the markers of $part:\n\n${expected.mkString("\n")}\n")
  }

  /** The part of a document below the heading that names `name`, up to the next heading. */
  private def section(document: String, name: String): String =
    document.split("(?m)^#+ ").find(_.takeWhile(_ != '\n').contains(s"`$name`")).getOrElse("")

  /** What an entry says of a value that it refuses. */
  private def allowed(parse: String => Any): String =
    Try(parse("-1")).failed.get.getMessage match {
      case message if message.contains("must ") =>
        message.substring(message.lastIndexOf("must ")).replaceFirst(" SQLSTATE.*", "")
      case message if message.contains("boolean") => "`true` or `false`"
      case message => fail(s"what is allowed? $message")
    }

  private def readable(default: String): String =
    if (!default.matches("\\d+b")) default
    else default.dropRight(1).toLong match {
      case bytes if bytes % (1 << 20) == 0 => s"${bytes >> 20}m"
      case bytes => s"${bytes}b"
    }

  test("docs/settings.md has the settings") {
    val rows = BloomJoinSettings.all().asScala.toSeq.map { entry =>
      val default = readable(entry.defaultValueString)
      s"| `${entry.key}` | `$default` | ${entry.doc} | ${allowed(entry.valueConverter(_))} |"
    }
    val header = Seq("| setting | default | meaning | allowed |", "|---|---|---|---|")
    assertGenerated("docs/settings.md", "settings", header ++ rows)
  }

  test("docs/settings.md tells how to tune each setting") {
    val untold = BloomJoinSettings.all().asScala.toSeq.map(_.key)
      .filter(key => section(text("docs/settings.md"), key).linesIterator.size < 3)
    assert(untold.isEmpty)
  }

  test("docs/settings.md has the sizes of filters") {
    val rows = Seq(0.1, 0.05, 0.01, 0.001).map { fpp =>
      val bits = SplitBlockSizing.bitsPerKey(fpp)
      val keys = (64L << 20) * 8 / bits / 1e6
      "| %s | %.1f | %.0f million |".formatLocal(Locale.ROOT, fpp, bits, keys)
    }
    val header = Seq("| fpp | bits per key | keys in 64 MiB |", "|---|---|---|")
    assertGenerated("docs/settings.md", "sizes", header ++ rows)
  }

  test("docs/functions.md has what Spark tells of each function") {
    val functions = spark.catalog.listFunctions().collect().toSeq
      .filter(f => f.className != null && f.className.startsWith("io.bloomjoin")).map(_.name)
    assert(functions.nonEmpty)
    functions.foreach { name =>
      val told = spark.sql(s"describe function extended $name").collect().map(_.getString(0))
        .filterNot(_.startsWith("Class:")).mkString("\n").linesIterator.map(_.stripTrailing)
        .filter(_.nonEmpty).toSeq
      assertGenerated("docs/functions.md", name, "```text" +: told :+ "```")
    }
  }

  test("docs/decisions-explained.md has the reasons and the columns") {
    val reasons = Reason.values().toSeq.map(r => s"| `${r.name}` | ${r.sentence} |")
    val reasonsHeader = Seq("| reason | sentence |", "|---|---|")
    assertGenerated("docs/decisions-explained.md", "reasons", reasonsHeader ++ reasons)
    val columns =
      DecisionsFunction.SCHEMA.fields.toSeq.map(f => s"| `${f.name}` | ${f.dataType.sql} |")
    val columnsHeader = Seq("| column | type |", "|---|---|")
    assertGenerated("docs/decisions-explained.md", "columns", columnsHeader ++ columns)
  }

  test("docs/metrics.md has a line for each metric") {
    spark.range(2000).selectExpr("id as k", "id as a").createOrReplaceTempView("many")
    spark.range(1000).selectExpr("id as k", "id as b").createOrReplaceTempView("few")
    val (plan, _) = withConf("spark.sql.adaptive.enabled" -> "false")(
      run("select a, b from many join few on many.k = few.k where b < 10")
    )
    val metrics = prunings(plan).head.metrics.values.flatMap(_.name).toSeq
    assert(metrics.nonEmpty)
    val document = text("docs/metrics.md")
    val missing = metrics.filterNot(name => document.contains(s"\n| $name |"))
    assert(missing.isEmpty)
  }

  test("documents name no setting that does not exist") {
    val known = BloomJoinSettings.all().asScala.map(_.key).toSet
    val key = "spark\\.bloomjoin\\.[A-Za-z]+".r
    val unknown =
      documents.flatMap(d => key.findAllIn(Files.readString(d)).filterNot(known).map(d -> _))
    assert(unknown.isEmpty)
  }

  test("links between documents lead somewhere") {
    val link = "\\]\\(([^)\\s]+)\\)".r
    val broken = for {
      document <- documents
      target <- link.findAllMatchIn(Files.readString(document)).map(_.group(1))
      if !target.contains("://")
      (file, anchor) = target.span(_ != '#')
      path = if (file.isEmpty) document else document.getParent.resolve(file).normalize
      if !Files.exists(path) || (anchor.nonEmpty && !anchors(path).contains(anchor.drop(1)))
    } yield s"${root.relativize(document)}: $target"
    assert(broken.isEmpty)
  }

  private def anchors(document: Path): Seq[String] =
    Files.readString(document).linesIterator.filter(_.matches("#+ .*")).map { heading =>
      heading.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-')
    }.toSeq

  test("README.md names the versions that are built") {
    val pom = text("pom.xml")
    def of(tag: String): String = s"<$tag>([^<]+)</$tag>".r.findFirstMatchIn(pom).get.group(1)
    val readme = text("README.md")
    assert(readme.contains(s"bloomjoin-spark-ext_2.13-${of("version")}.jar"))
    assert(readme.contains(s"Spark ${of("spark.version")}"))
    assert(readme.contains(s"Scala ${of("scala.binary.version")}"))
    assert(readme.contains(s"Java ${of("maven.compiler.release")}"))
  }
}
