package io.bloomjoin.hadoop;

import io.bloomjoin.key.KeyHash;
import io.bloomjoin.key.KeyType;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.DictionaryPageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Parquet's hashes of keys, the XXH64 of their plain encoding, beside {@link KeyHash}. */
final class ParquetHashes {

  private ParquetHashes() {}

  /** Whether both hashes of all keys are the same. */
  static boolean agree(PrimitiveType column, KeyType type) {
    PrimitiveTypeName stored = column.getPrimitiveTypeName();
    return switch (type.kind()) {
      case TINYINT, SMALLINT, INT, DATE, BIGINT, STRING, BINARY -> true;
      case TIMESTAMP, TIMESTAMP_NTZ ->
          column.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation time
              && time.getUnit() == TimeUnit.MICROS;
      case DECIMAL -> stored == PrimitiveTypeName.INT64;
      case BOOLEAN, FLOAT, DOUBLE -> false;
    };
  }

  /**
   * The hashes of the keys in a dictionary that all pages of a chunk use; empty if some page has
   * keys of its own.
   */
  static Optional<long[]> ofDictionary(
      ParquetFileReader reader, BlockMetaData block, ColumnChunkMetaData chunk) throws IOException {
    if (chunk.getEncodingStats() == null
        || !chunk.getEncodingStats().hasDictionaryPages()
        || chunk.getEncodingStats().hasNonDictionaryEncodedPages()) {
      return Optional.empty();
    }
    ColumnDescriptor descriptor =
        reader.getFileMetaData().getSchema().getColumnDescription(chunk.getPath().toArray());
    DictionaryPageReadStore dictionaries = reader.getDictionaryReader(block);
    DictionaryPage page = dictionaries.readDictionaryPage(descriptor);
    if (page == null) {
      return Optional.empty();
    }
    Dictionary dictionary = page.getEncoding().initDictionary(descriptor, page);
    PrimitiveTypeName stored = chunk.getPrimitiveType().getPrimitiveTypeName();
    return Optional.of(
        IntStream.rangeClosed(0, dictionary.getMaxId())
            .mapToLong(
                id ->
                    switch (stored) {
                      case INT32 -> KeyHash.ofInt(dictionary.decodeToInt(id));
                      case INT64 -> KeyHash.ofLong(dictionary.decodeToLong(id));
                      default -> KeyHash.ofBytes(dictionary.decodeToBinary(id).getBytesUnsafe());
                    })
            .toArray());
  }
}
