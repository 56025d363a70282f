package io.bloomjoin.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.key.KeyHash;
import io.bloomjoin.key.KeyType;
import java.util.Arrays;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hashes are those of {@code KeyHash}, which are Spark's. */
class WritableKeyHashTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "é", "😀", "𐍈", "日本語", "\0"})
  void text(String text) {
    assertEquals(KeyHash.ofString(text), WritableKeyHash.of(new Text(text)));
    assertEquals(KeyHash.ofString(text, 42), WritableKeyHash.of(new Text(text), 42));
  }

  @Test
  void text_shorterThanBefore_isHashedToItsLength() {
    Text text = new Text("a long text that was here before");
    text.set("é");
    assertEquals(KeyHash.ofString("é"), WritableKeyHash.of(text));
    BytesWritable bytes = new BytesWritable(new byte[100]);
    bytes.setSize(3);
    assertEquals(KeyHash.ofBytes(new byte[3]), WritableKeyHash.of(bytes));
  }

  @Test
  void numbers() {
    assertHash("int", KeyHash.ofInt(-7), new IntWritable(-7));
    assertHash("int", KeyHash.ofInt(-7), new VIntWritable(-7));
    assertHash("smallint", KeyHash.ofInt(-7), new ShortWritable((short) -7));
    assertHash("tinyint", KeyHash.ofInt(-7), new ByteWritable((byte) -7));
    assertHash("boolean", KeyHash.ofInt(1), new BooleanWritable(true));
    assertHash("bigint", KeyHash.ofLong(-7), new LongWritable(-7));
    assertHash("bigint", KeyHash.ofLong(-7), new VLongWritable(-7));
    assertHash("float", KeyHash.ofFloat(0), new FloatWritable(-0f));
    assertHash("float", KeyHash.ofFloat(Float.NaN), new FloatWritable(Float.NaN));
    assertHash("double", KeyHash.ofDouble(0), new DoubleWritable(-0.0));
    assertHash("double", KeyHash.ofDouble(1.5), new DoubleWritable(1.5));
    assertHash("binary", KeyHash.ofBytes(new byte[] {1}), new BytesWritable(new byte[] {1}));
  }

  @Test
  void nulls_leaveTheHashAsItIs() {
    assertEquals(KeyHash.SEED, WritableKeyHash.of(null));
    assertEquals(42, WritableKeyHash.of(NullWritable.get(), 42));
  }

  @Test
  void otherClasses_areRefused() {
    for (Writable other : Arrays.asList(new MapWritable(), new BloomFilterWritable())) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> WritableKeyHash.of(other))
              .getMessage();
      assertTrue(message.contains(other.getClass().getName()), message);
      assertThrows(IllegalArgumentException.class, () -> WritableKeyHash.typeOf(other.getClass()));
    }
  }

  private static void assertHash(String type, long expected, Writable key) {
    assertEquals(expected, WritableKeyHash.of(key));
    assertEquals(KeyType.parse(type), WritableKeyHash.typeOf(key.getClass()));
  }
}
