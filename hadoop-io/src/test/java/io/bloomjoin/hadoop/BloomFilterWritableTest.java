package io.bloomjoin.hadoop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterFormatException;
import io.bloomjoin.filter.StoredFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BloomFilterWritableTest {

  private static final Configuration CONFIGURATION = new Configuration();

  @TempDir Path folder;

  static List<StoredFilter> filters() {
    return List.of(
        Filters.splitBlock(0),
        Filters.splitBlock(3),
        Filters.splitBlock(10_000),
        Filters.classic(0),
        Filters.classic(10_000),
        Filters.counting(1000),
        Filters.scalable(10_000));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void bytes_areThoseOfTheFormat(StoredFilter stored) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    new BloomFilterWritable(stored).write(out);
    byte[] bytes = Arrays.copyOf(out.getData(), out.getLength());
    assertArrayEquals(FilterFormat.toBytes(stored.filter(), stored.metadata()), bytes);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void readFields_replacesWhatTheHolderHad_andReadsNoByteMore(StoredFilter stored)
      throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    new BloomFilterWritable(stored).write(out);
    out.writeInt(42);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    BloomFilterWritable read = new BloomFilterWritable(Filters.classic(17));
    read.readFields(in);
    assertEquals(stored, read.stored());
    assertEquals(42, in.readInt());
  }

  @Test
  void readFields_ofCutBytes_isRefused_andTheHolderKeepsItsFilter() throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    new BloomFilterWritable(Filters.splitBlock(100)).write(out);
    BloomFilterWritable kept = new BloomFilterWritable(Filters.classic(17));
    for (int length = 0; length < out.getLength(); length++) {
      DataInputBuffer in = new DataInputBuffer();
      in.reset(out.getData(), length);
      assertThrows(FilterFormatException.class, () -> kept.readFields(in));
    }
    assertEquals(Filters.classic(17), kept.stored());
  }

  @Test
  void emptyHolder_saysSo() {
    BloomFilterWritable empty = new BloomFilterWritable();
    assertThrows(IllegalStateException.class, empty::filter);
    assertThrows(IllegalStateException.class, () -> empty.write(new DataOutputBuffer()));
    assertEquals(empty, new BloomFilterWritable());
  }

  @ParameterizedTest
  @EnumSource(CompressionType.class)
  void sequenceFile(CompressionType compression) throws IOException {
    org.apache.hadoop.fs.Path file = path("filters.seq");
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            CONFIGURATION,
            SequenceFile.Writer.file(file),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(BloomFilterWritable.class),
            SequenceFile.Writer.compression(compression))) {
      for (StoredFilter stored : filters()) {
        writer.append(new Text(stored.filter().toString()), new BloomFilterWritable(stored));
      }
    }
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(CONFIGURATION, SequenceFile.Reader.file(file))) {
      Text key = new Text();
      BloomFilterWritable value = new BloomFilterWritable();
      for (StoredFilter stored : filters()) {
        assertTrue(reader.next(key, value));
        assertEquals(stored, value.stored());
      }
      assertFalse(reader.next(key, value));
    }
  }

  @Test
  void mapFile() throws IOException {
    org.apache.hadoop.fs.Path file = path("filters.map");
    try (MapFile.Writer writer =
        new MapFile.Writer(
            CONFIGURATION,
            file,
            MapFile.Writer.keyClass(Text.class),
            MapFile.Writer.valueClass(BloomFilterWritable.class))) {
      writer.append(new Text("a"), new BloomFilterWritable(Filters.splitBlock(1000)));
      writer.append(new Text("b"), new BloomFilterWritable(Filters.classic(1000)));
    }
    try (MapFile.Reader reader = new MapFile.Reader(file, CONFIGURATION)) {
      BloomFilterWritable value = new BloomFilterWritable();
      reader.get(new Text("b"), value);
      assertEquals(Filters.classic(1000), value.stored());
    }
  }

  @Test
  void objectWritable() throws IOException {
    BloomFilterWritable written = new BloomFilterWritable(Filters.splitBlock(1000));
    DataOutputBuffer out = new DataOutputBuffer();
    new ObjectWritable(written).write(out);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    ObjectWritable read = new ObjectWritable();
    read.setConf(CONFIGURATION);
    read.readFields(in);
    assertEquals(written, read.get());
  }

  private org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(folder.resolve(name).toUri());
  }
}
