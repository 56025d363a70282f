package io.bloomjoin.spark

import java.nio.file.{Files, Path}
import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

/**
 * A fenced block of a document.
 *
 * @param line
 *   where its fence is, from 1
 * @param printed
 *   the block of `text` right behind it, which is what it prints
 */
final case class Snippet(line: Int, language: String, code: String, printed: Option[String])

object Snippet {

  /** The blocks of a document in order; those of `text` belong to the ones before. */
  def of(document: Path): Seq[Snippet] = {
    val lines = Files.readAllLines(document).asScala.toIndexedSeq
    val found = ArrayBuffer.empty[Snippet]
    var at = lines.indexWhere(_.startsWith("```"))
    var end = -1
    while (at >= 0) {
      val isNext = lines.slice(end + 1, at).forall(_.isBlank)
      end = lines.indexWhere(_.startsWith("```"), at + 1)
      require(end > at, s"$document, line ${at + 1}: the block has no end")
      val text = lines.slice(at + 1, end).mkString("\n")
      lines(at).drop(3) match {
        case "text" if isNext && found.lastOption.exists(_.printed.isEmpty) =>
          found(found.size - 1) = found.last.copy(printed = Some(text))
        case language => found += Snippet(at + 1, language, text, None)
      }
      at = lines.indexWhere(_.startsWith("```"), end + 1)
    }
    found.toSeq
  }
}
