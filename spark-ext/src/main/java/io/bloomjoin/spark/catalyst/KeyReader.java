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
  private UnsafeRow current;

  private KeyReader(UnsafeProjection projection) {
    this.projection = projection;
  }

  /** Moves to {@code row}; false if a key column is null, so that the row matches nothing. */
  public boolean read(InternalRow row) {
    current = projection.apply(row);
    return !current.getBoolean(0);
  }

  /** The hash of the key of the row read last. */
  public long hash() {
    return current.getLong(1);
  }

  /** What a task needs to make its own reader. */
  public static final class Factory implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Seq<Expression> bound;

    /** A factory of readers of {@code keys} from rows whose columns are {@code input}. */
    public Factory(List<Expression> keys, List<Attribute> input) {
      List<Expression> columns = List.of(JoinKeys.anyNull(keys), JoinKeys.hash(keys));
      this.bound = Scala.seq(Expressions.bind(columns, input));
    }

    public KeyReader reader() {
      return new KeyReader(UnsafeProjection$.MODULE$.create(bound));
    }
  }
}
