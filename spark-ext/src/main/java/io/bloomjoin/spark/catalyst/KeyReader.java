package io.bloomjoin.spark.catalyst;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ShortType;
import scala.collection.immutable.Seq;

/** Reads the join key from rows, as its hash and, where it is one, as a number; one per task. */
public final class KeyReader {
  private final UnsafeProjection projection;
  private final List<Expression> keys;
  private final KeyNumber number;
  private final DataType firstType;
  private InternalRow row;
  private UnsafeRow current;

  private KeyReader(UnsafeProjection projection, List<Expression> keys) {
    this.projection = projection;
    this.keys = keys;
    this.number = KeyNumber.of(keys);
    this.firstType = keys.get(0).dataType();
  }

  /** Moves to {@code row}; false if a key column is null, so that the row matches nothing. */
  public boolean read(InternalRow next) {
    row = next;
    current = projection.apply(next);
    return !current.getBoolean(0);
  }

  /** What {@link #numberOrHash} is. */
  public KeyNumber number() {
    return number;
  }

  /** The hash of the key of the row read last. */
  public long hash() {
    return number.hash(numberOrHash());
  }

  /** The key of the row read last: the number that it is, or its hash if it is none. */
  public long numberOrHash() {
    if (number != KeyNumber.INT) {
      return current.getLong(1);
    }
    if (firstType instanceof ByteType) {
      return current.getByte(1);
    }
    return firstType instanceof ShortType ? current.getShort(1) : current.getInt(1);
  }

  /**
   * The value of a key column of the row read last, as Spark holds it; it may be a view of the row.
   */
  public Object value(int column) {
    return keys.get(column).eval(row);
  }

  /** What a task needs to make its own reader. */
  public static final class Factory implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Seq<Expression> keys;
    private final Seq<Expression> bound;

    /** A factory of readers of {@code keys} from rows whose columns are {@code input}. */
    public Factory(List<Expression> keys, List<Attribute> input) {
      this.keys = Scala.seq(Expressions.bind(keys, input));
      Expression key = KeyNumber.of(keys) == KeyNumber.NONE ? JoinKeys.hash(keys) : keys.get(0);
      List<Expression> columns = List.of(JoinKeys.anyNull(keys), key);
      this.bound = Scala.seq(Expressions.bind(columns, input));
    }

    /** What {@link KeyReader#numberOrHash} of the readers is. */
    public KeyNumber number() {
      return KeyNumber.of(Scala.list(keys));
    }

    public KeyReader reader() {
      return new KeyReader(UnsafeProjection$.MODULE$.create(bound), Scala.list(keys));
    }
  }
}
