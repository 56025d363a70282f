package io.bloomjoin.spark.catalyst;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection$;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.immutable.Seq;

/** Reads the hash of the join key from rows; one cursor per task. */
public final class KeyReader {
  private final UnsafeProjection projection;
  private final List<Expression> keys;
  private InternalRow row;
  private UnsafeRow current;

  private KeyReader(UnsafeProjection projection, List<Expression> keys) {
    this.projection = projection;
    this.keys = keys;
  }

  /** Moves to {@code row}; false if a key column is null, so that the row matches nothing. */
  public boolean read(InternalRow next) {
    row = next;
    current = projection.apply(next);
    return !current.getBoolean(0);
  }

  /** The hash of the key of the row read last. */
  public long hash() {
    return current.getLong(1);
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
      List<Expression> columns = List.of(JoinKeys.anyNull(keys), JoinKeys.hash(keys));
      this.bound = Scala.seq(Expressions.bind(columns, input));
    }

    public KeyReader reader() {
      return new KeyReader(UnsafeProjection$.MODULE$.create(bound), Scala.list(keys));
    }
  }
}
