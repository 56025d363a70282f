package io.bloomjoin.hadoop;

import io.bloomjoin.key.KeyType;
import io.bloomjoin.key.KeyType.Kind;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** The key types of Parquet columns. */
public final class ParquetKeyTypes {

  private ParquetKeyTypes() {}

  /**
   * The type that Spark reads the column as.
   *
   * @throws IllegalArgumentException if such a column cannot be a key
   */
  public static KeyType of(Type column) {
    if (column.isPrimitive() && !column.isRepetition(Type.Repetition.REPEATED)) {
      PrimitiveType primitive = column.asPrimitiveType();
      LogicalTypeAnnotation logical = primitive.getLogicalTypeAnnotation();
      if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
        return KeyType.decimal(decimal.getPrecision(), decimal.getScale());
      }
      KeyType type =
          switch (primitive.getPrimitiveTypeName()) {
            case BOOLEAN -> KeyType.of(Kind.BOOLEAN);
            case INT32 -> intType(logical);
            case INT64 -> longType(logical);
            case INT96 -> KeyType.of(Kind.TIMESTAMP);
            case FLOAT -> KeyType.of(Kind.FLOAT);
            case DOUBLE -> KeyType.of(Kind.DOUBLE);
            case BINARY -> binaryType(logical);
            case FIXED_LEN_BYTE_ARRAY -> logical == null ? KeyType.of(Kind.BINARY) : null;
          };
      if (type != null) {
        return type;
      }
    }
    throw new IllegalArgumentException("Values of a column cannot be keys: " + column);
  }

  private static KeyType intType(LogicalTypeAnnotation logical) {
    if (logical == null) {
      return KeyType.of(Kind.INT);
    }
    if (logical instanceof DateLogicalTypeAnnotation) {
      return KeyType.of(Kind.DATE);
    }
    if (logical instanceof IntLogicalTypeAnnotation integer && integer.isSigned()) {
      return switch (integer.getBitWidth()) {
        case 8 -> KeyType.of(Kind.TINYINT);
        case 16 -> KeyType.of(Kind.SMALLINT);
        default -> KeyType.of(Kind.INT);
      };
    }
    return null;
  }

  private static KeyType longType(LogicalTypeAnnotation logical) {
    if (logical == null
        || (logical instanceof IntLogicalTypeAnnotation integer && integer.isSigned())) {
      return KeyType.of(Kind.BIGINT);
    }
    if (logical instanceof TimestampLogicalTypeAnnotation time
        && time.getUnit() != TimeUnit.NANOS) {
      return KeyType.of(time.isAdjustedToUTC() ? Kind.TIMESTAMP : Kind.TIMESTAMP_NTZ);
    }
    return null;
  }

  private static KeyType binaryType(LogicalTypeAnnotation logical) {
    if (logical == null) {
      return KeyType.of(Kind.BINARY);
    }
    return logical instanceof StringLogicalTypeAnnotation
            || logical.equals(LogicalTypeAnnotation.enumType())
            || logical.equals(LogicalTypeAnnotation.jsonType())
        ? KeyType.STRING
        : null;
  }
}
