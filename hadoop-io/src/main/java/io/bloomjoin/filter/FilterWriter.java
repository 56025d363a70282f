package io.bloomjoin.filter;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Writes one filter, in the shorter of the two encodings. */
final class FilterWriter {

  private final BloomFilter filter;
  private final Optional<byte[]> sparse;
  private final byte[] header;
  private final long payloadLength;

  FilterWriter(BloomFilter filter, FilterMetadata metadata) {
    this.filter = filter;
    sparse = SparseBits.encode(filter);
    payloadLength = sparse.map(bytes -> (long) bytes.length).orElse(filter.sizeInBytes());
    int encoding = sparse.isPresent() ? FilterHeader.SPARSE : FilterHeader.RAW;
    header = FilterHeader.of(filter, metadata, encoding, payloadLength).toBytes();
  }

  /** The number of bytes that {@link #writeTo} writes. */
  long length() {
    return FilterFormat.PROLOGUE_LENGTH
        + header.length
        + payloadLength
        + FilterFormat.CHECKSUM_LENGTH;
  }

  void writeTo(OutputStream out) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32C());
    byte[] prologue = new byte[FilterFormat.PROLOGUE_LENGTH];
    LittleEndian.wrap(prologue)
        .putInt(FilterFormat.MAGIC)
        .putInt(FilterFormat.VERSION)
        .putInt(header.length);
    checked.write(prologue);
    checked.write(header);
    if (sparse.isPresent()) {
      checked.write(sparse.get());
    } else {
      writeRaw(checked);
    }
    byte[] checksum = new byte[FilterFormat.CHECKSUM_LENGTH];
    LittleEndian.wrap(checksum).putInt((int) checked.getChecksum().getValue());
    out.write(checksum);
  }

  private void writeRaw(OutputStream out) throws IOException {
    long[] words = filter.words();
    byte[] chunk = new byte[Math.min(words.length, FilterFormat.CHUNK_WORDS) * Long.BYTES];
    for (int at = 0; at < words.length; at += FilterFormat.CHUNK_WORDS) {
      int count = Math.min(FilterFormat.CHUNK_WORDS, words.length - at);
      LittleEndian.wrap(chunk).asLongBuffer().put(words, at, count);
      out.write(chunk, 0, count * Long.BYTES);
    }
  }
}
