package io.bloomjoin.hadoop;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.FilterUnion;
import io.bloomjoin.filter.SplitBlockBloomFilter;
import io.bloomjoin.filter.SplitBlockBloomFilterBuilder;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.key.KeyType;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;

/**
 * Takes the Bloom filters that Parquet files have on a column, one a row group, and unites them to
 * one of ours, without reading a row.
 *
 * <p>Filters of different sizes are folded to the smallest. A row group whose column is in a
 * dictionary throughout has no filter from most writers; its dictionary has all keys, and is read
 * instead. Where a row group has neither, there is no filter, as its keys would be missed.
 *
 * <p>The type of the column must have the same hash in Parquet as here: integers, dates, timestamps
 * in microseconds, decimals in 64 bits, strings and binary values. Floating point numbers do not,
 * since Parquet tells -0.0 from 0.0, and neither do dates and timestamps that Spark wrote in the
 * calendar of its version 2, which readers convert.
 */
public final class ParquetBloomFilters {

  /** Only for dictionaries, where no file says how good its filters are. */
  private static final double DICTIONARY_FPP = 0.01;

  /** What Spark notes in a file: its version, and, without a value, that dates are as before 3. */
  private static final String SPARK_VERSION = "org.apache.spark.version";

  private static final String SPARK_2_CALENDAR = "org.apache.spark.legacyDateTime";

  private final Configuration configuration;
  private final String column;
  private final FilterUnion filters = new FilterUnion();
  private final LongStream.Builder hashes = LongStream.builder();
  private final List<String> lacking = new ArrayList<>();
  private KeyType type;
  private int rowGroups;
  private long dictionaryKeys;

  private ParquetBloomFilters(Configuration configuration, String column) {
    this.configuration = configuration;
    this.column = column;
  }

  /**
   * What was found.
   *
   * @param filter of all keys; empty if some row group lacks one. Its real false positive
   *     probability is {@link BloomFilter#fpp()}: higher than that of each file's, as it has the
   *     keys of all
   * @param rowGroups the number of row groups
   * @param lacking the row groups without a filter, as file and number from 0
   */
  public record Harvest(Optional<StoredFilter> filter, int rowGroups, List<String> lacking) {}

  /**
   * Unites the filters of a file, or of all files in a folder and the folders in it.
   *
   * @param column a column that is not nested
   * @throws FileNotFoundException if there is no file
   * @throws IllegalArgumentException if a file does not have the column, or its type has another
   *     hash in Parquet or differs between files
   */
  public static Harvest harvest(Path path, String column, Configuration configuration)
      throws IOException {
    return harvest(List.of(path), column, configuration);
  }

  /** As {@link #harvest(Path, String, Configuration)}, of several files and folders. */
  public static Harvest harvest(List<Path> paths, String column, Configuration configuration)
      throws IOException {
    ParquetBloomFilters harvest = new ParquetBloomFilters(configuration, column);
    for (Path path : paths) {
      FileSystem files = path.getFileSystem(configuration);
      harvest.addAll(files, files.getFileStatus(path));
    }
    String source = paths.stream().map(Path::toString).collect(Collectors.joining(","));
    if (harvest.type == null) {
      throw new FileNotFoundException("There is no Parquet file at " + source);
    }
    return harvest.result(source);
  }

  private void addAll(FileSystem files, FileStatus status) throws IOException {
    if (status.isFile()) {
      add(status);
      return;
    }
    for (FileStatus inside : files.listStatus(status.getPath(), ParquetBloomFilters::isVisible)) {
      addAll(files, inside);
    }
  }

  private static boolean isVisible(Path path) {
    return !path.getName().startsWith("_") && !path.getName().startsWith(".");
  }

  private void add(FileStatus file) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromStatus(file, configuration))) {
      checkType(reader.getFileMetaData().getSchema(), file.getPath());
      checkCalendar(reader.getFileMetaData().getKeyValueMetaData(), file.getPath());
      List<BlockMetaData> blocks = reader.getRowGroups();
      for (int i = 0; i < blocks.size(); i++) {
        rowGroups++;
        if (!add(reader, blocks.get(i))) {
          lacking.add(file.getPath() + " row group " + i);
        }
      }
    }
  }

  private void checkType(MessageType schema, Path file) {
    if (!schema.containsField(column)) {
      throw new IllegalArgumentException("There is no column \"" + column + "\" in " + file);
    }
    KeyType found = ParquetKeyTypes.of(schema.getType(column));
    if (!ParquetHashes.agree(schema.getType(column).asPrimitiveType(), found)) {
      throw new IllegalArgumentException(
          String.format(
              "The Bloom filters of column %s in %s cannot be taken over: Parquet hashes %s in"
                  + " another way. Build a filter from the rows",
              column, file, schema.getType(column)));
    }
    if (type != null && !type.equals(found)) {
      throw new IllegalArgumentException(
          String.format("Column %s is %s in some files, and %s in %s", column, type, found, file));
    }
    type = found;
  }

  /** Readers convert such values, so the filters are over others than what is read. */
  private void checkCalendar(Map<String, String> properties, Path file) {
    boolean isTime =
        switch (type.kind()) {
          case DATE, TIMESTAMP, TIMESTAMP_NTZ -> true;
          default -> false;
        };
    String spark = properties.get(SPARK_VERSION);
    if (isTime
        && (properties.containsKey(SPARK_2_CALENDAR)
            || (spark != null && spark.compareTo("3.0.0") < 0))) {
      throw new IllegalArgumentException(
          String.format(
              "The Bloom filters of column %s in %s cannot be taken over: the file has dates in the"
                  + " calendar of Spark 2. Build a filter from the rows",
              column, file));
    }
  }

  /** Whether the keys of the row group are known now. */
  private boolean add(ParquetFileReader reader, BlockMetaData block) throws IOException {
    ColumnChunkMetaData chunk =
        block.getColumns().stream()
            .filter(meta -> meta.getPath().toDotString().equals(column))
            .findFirst()
            .orElseThrow();
    if (chunk.getStatistics() != null
        && chunk.getStatistics().isNumNullsSet()
        && chunk.getStatistics().getNumNulls() == chunk.getValueCount()) {
      return true;
    }
    org.apache.parquet.column.values.bloomfilter.BloomFilter found = reader.readBloomFilter(chunk);
    if (found != null) {
      ByteArrayOutputStream bitset = new ByteArrayOutputStream(found.getBitsetSize());
      found.writeTo(bitset);
      filters.add(
          new StoredFilter(
              SplitBlockBloomFilter.ofBitset(bitset.toByteArray()), FilterMetadata.UNKNOWN));
      return true;
    }
    Optional<long[]> dictionary = ParquetHashes.ofDictionary(reader, block, chunk);
    for (long hash : dictionary.orElse(new long[0])) {
      hashes.add(hash);
      dictionaryKeys++;
    }
    return dictionary.isPresent();
  }

  private Harvest result(String source) {
    if (!lacking.isEmpty()) {
      return new Harvest(Optional.empty(), rowGroups, List.copyOf(lacking));
    }
    SplitBlockBloomFilter filter = unite();
    long keys = filter.estimatedKeys();
    FilterMetadata metadata =
        new FilterMetadata(
            List.of(type.toString()),
            keys == Long.MAX_VALUE ? FilterMetadata.UNKNOWN_KEY_COUNT : keys,
            Double.NaN,
            Map.of(
                FilterMetadata.SOURCE,
                source + " (" + column + ")",
                FilterMetadata.TOOL,
                "Parquet Bloom filters"));
    return new Harvest(Optional.of(new StoredFilter(filter, metadata)), rowGroups, List.of());
  }

  private SplitBlockBloomFilter unite() {
    SplitBlockBloomFilterBuilder builder =
        filters
            .finishFolded()
            .map(union -> builderOf((SplitBlockBloomFilter) union.filter()))
            .orElseGet(
                () -> SplitBlockBloomFilterBuilder.byAccuracy(dictionaryKeys, DICTIONARY_FPP));
    hashes.build().forEach(builder::add);
    return builder.build();
  }

  private static SplitBlockBloomFilterBuilder builderOf(SplitBlockBloomFilter filter) {
    SplitBlockBloomFilterBuilder builder = SplitBlockBloomFilterBuilder.withBlocks(filter.blocks());
    builder.addAll(filter);
    return builder;
  }
}
