package io.bloomjoin.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.ParquetBloomFilters.Harvest;
import io.bloomjoin.key.KeyHash;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetBloomFiltersTest {

  private static final Configuration CONFIGURATION = new Configuration();

  @TempDir java.nio.file.Path folder;

  @Test
  void filtersOfAllFiles_andSizes_areUnited() throws IOException {
    writeLongs("in/part=1/a.parquet", 0, 5000, 8192);
    writeLongs("in/part=1/b.parquet", 5000, 10_000, 16_384);
    writeLongs("in/c.parquet", 10_000, 12_000, 8192);
    Harvest harvest = harvest("in", "id");
    assertEquals(List.of(), harvest.lacking());
    assertTrue(harvest.rowGroups() >= 3);
    StoredFilter stored = harvest.filter().orElseThrow();
    SplitBlockBloomFilterBuilder expected = SplitBlockBloomFilterBuilder.withBlocks(256);
    LongStream.range(0, 12_000).map(KeyHash::ofLong).forEach(expected::add);
    assertEquals(expected.build(), stored.filter());
    assertEquals(List.of("bigint"), stored.metadata().keyTypes());
    assertRealFpp(stored.filter());
  }

  @Test
  void types_whoseHashesAgree() throws IOException {
    assertHarvested("int32 k", i -> (int) i, "int", i -> KeyHash.ofInt((int) i));
    assertHarvested("int32 k (DATE)", i -> (int) i, "date", i -> KeyHash.ofInt((int) i));
    assertHarvested(
        "int32 k (INTEGER(16,true))", i -> (int) i, "smallint", i -> KeyHash.ofInt((int) i));
    assertHarvested("int64 k", i -> i, "bigint", KeyHash::ofLong);
    assertHarvested("int64 k (TIMESTAMP(MICROS,true))", i -> i, "timestamp", KeyHash::ofLong);
    assertHarvested("int64 k (DECIMAL(18,2))", i -> i, "decimal(18,2)", KeyHash::ofLong);
    assertHarvested("binary k (STRING)", i -> "é" + i, "string", i -> KeyHash.ofString("é" + i));
    assertHarvested("binary k", i -> "b" + i, "binary", i -> KeyHash.ofString("b" + i));
  }

  @Test
  void types_whoseHashesDiffer_areRefused() throws IOException {
    for (String column :
        List.of(
            "float k",
            "double k",
            "int64 k (TIMESTAMP(MILLIS,true))",
            "int32 k (DECIMAL(9,2))",
            "boolean k",
            "fixed_len_byte_array(16) k (DECIMAL(38,2))")) {
      write("refused.parquet", schema(column), List.of(), 1024, false);
      String message =
          assertThrows(IllegalArgumentException.class, () -> harvest("refused.parquet", "k"))
              .getMessage();
      assertTrue(message.contains("k"), message);
    }
  }

  @Test
  void aRowGroupWithoutAFilter_isTold_andThereIsNoFilter() throws IOException {
    writeLongs("in/a.parquet", 0, 1000, 8192);
    Path without = path("in/b.parquet");
    writeWithoutFilter(without);
    Harvest harvest = harvest("in", "id");
    assertTrue(harvest.filter().isEmpty());
    assertEquals(List.of(without + " row group 0"), harvest.lacking());
    assertEquals(2, harvest.rowGroups());
  }

  @Test
  void dictionaries_areReadInPlaceOfFilters() throws IOException {
    MessageType schema = schema("int64 id");
    List<Group> rows =
        LongStream.range(0, 5000)
            .mapToObj(i -> new SimpleGroup(schema).append("id", i % 50))
            .toList();
    write("dictionary.parquet", schema, rows, 8192, true);
    Harvest harvest = harvest("dictionary.parquet", "id");
    assertEquals(List.of(), harvest.lacking());
    BloomFilter filter = harvest.filter().orElseThrow().filter();
    LongStream.range(0, 50).forEach(i -> assertTrue(filter.mightContain(KeyHash.ofLong(i))));
    assertEquals(50.0, (double) filter.estimatedKeys(), 2.0);
  }

  @Test
  void rowGroupsOfNulls_haveNoKeys() throws IOException {
    MessageType schema = MessageTypeParser.parseMessageType("message rows { optional int64 id; }");
    write("nulls.parquet", schema, List.of(new SimpleGroup(schema)), 1024, false);
    assertTrue(harvest("nulls.parquet", "id").filter().orElseThrow().filter().isEmpty());
  }

  @Test
  void whatIsNotThere_isTold() throws IOException {
    assertThrows(FileNotFoundException.class, () -> harvest("none", "id"));
    writeLongs("a.parquet", 0, 10, 1024);
    assertThrows(IllegalArgumentException.class, () -> harvest("a.parquet", "other"));
  }

  private void assertHarvested(
      String column, LongFunction<Object> value, String type, LongFunction<Long> hash)
      throws IOException {
    MessageType schema = schema(column);
    List<Group> rows = LongStream.range(0, 300).mapToObj(i -> row(schema, value.apply(i))).toList();
    write("typed.parquet", schema, rows, 1024, false);
    StoredFilter stored = harvest("typed.parquet", "k").filter().orElseThrow();
    SplitBlockBloomFilterBuilder expected = SplitBlockBloomFilterBuilder.withBlocks(32);
    LongStream.range(0, 300).forEach(i -> expected.add(hash.apply(i)));
    assertEquals(expected.build(), stored.filter(), column);
    assertEquals(List.of(type), stored.metadata().keyTypes());
  }

  private static Group row(MessageType schema, Object value) {
    SimpleGroup row = new SimpleGroup(schema);
    if (value instanceof Integer number) {
      row.add("k", number);
    } else if (value instanceof Long number) {
      row.add("k", number);
    } else {
      row.add("k", value.toString());
    }
    return row;
  }

  /** The united filter is fuller than each; what it says of itself is measured. */
  private static void assertRealFpp(BloomFilter filter) {
    long found =
        LongStream.range(1_000_000, 1_100_000)
            .filter(i -> filter.mightContain(KeyHash.ofLong(i)))
            .count();
    assertEquals(found / 100_000.0, filter.fpp(), 0.01);
  }

  private void writeLongs(String name, long from, long to, int filterBytes) throws IOException {
    MessageType schema = schema("int64 id");
    List<Group> rows =
        LongStream.range(from, to).mapToObj(i -> new SimpleGroup(schema).append("id", i)).toList();
    write(name, schema, rows, filterBytes, false);
  }

  private void writeWithoutFilter(Path path) throws IOException {
    MessageType schema = schema("int64 id");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path).withType(schema).withDictionaryEncoding(false).build()) {
      writer.write(new SimpleGroup(schema).append("id", 1L));
    }
  }

  private void write(
      String name, MessageType schema, List<Group> rows, int filterBytes, boolean dictionary)
      throws IOException {
    String column = schema.getFieldName(0);
    java.nio.file.Files.deleteIfExists(folder.resolve(name));
    java.nio.file.Files.deleteIfExists(folder.resolve("." + name + ".crc"));
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(path(name))
            .withType(schema)
            .withDictionaryEncoding(dictionary)
            .withRowGroupSize(40_000L);
    boolean mayHave =
        schema.getType(0).asPrimitiveType().getPrimitiveTypeName()
            != org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BOOLEAN;
    if (mayHave) {
      // The number of keys decides the size: a little below what fits, as a power of two is taken.
      builder =
          builder
              .withBloomFilterEnabled(column, true)
              .withMaxBloomFilterBytes(filterBytes)
              .withBloomFilterNDV(column, 100_000_000L);
    }
    try (ParquetWriter<Group> writer = builder.build()) {
      for (Group row : rows) {
        writer.write(row);
      }
    }
  }

  private static MessageType schema(String column) {
    return MessageTypeParser.parseMessageType("message rows { required " + column + "; }");
  }

  private Path path(String name) {
    return new Path(folder.resolve(name).toUri());
  }

  private Harvest harvest(String name, String column) throws IOException {
    return ParquetBloomFilters.harvest(path(name), column, CONFIGURATION);
  }
}
