package io.bloomjoin.spark.fuzz

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{ArrayType, DataType, StringType, StructType}

/**
 * Rows as text. Values that Spark holds equal have the same text: which of them is the key of a
 * group, or the greatest, depends on the order of the rows.
 */
private[fuzz] object RowText {

  /** The multiset of the rows. */
  def sorted(rows: Seq[Row], schema: StructType): Seq[String] = rows.map(of(_, schema)).sorted

  private def of(value: Any, kind: DataType): String = (value, kind) match {
    case (null, _) => "null"
    case (row: Row, struct: StructType) =>
      row.toSeq.zip(struct).map { case (v, field) => of(v, field.dataType) }.mkString(
        "[",
        ", ",
        "]"
      )
    case (values: scala.collection.Seq[_], array: ArrayType) =>
      values.map(of(_, array.elementType)).mkString("(", ", ", ")")
    case (bytes: Array[Byte], _) => bytes.mkString("x", ".", "")
    case (number: Double, _) => (number + 0.0d).toString
    case (number: Float, _) => (number + 0.0f).toString
    case (text: String, StringType) => s"'$text'"
    case (text: String, _: StringType) => s"'${text.toLowerCase.stripTrailing}'" // collated
    case (other, _) => other.toString
  }
}
