package io.bloomjoin.filter;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/** Reads one filter from bytes that nobody vouches for. */
final class FilterReader {

  private final CheckedInputStream in;

  FilterReader(InputStream in) {
    this.in = new CheckedInputStream(in, new CRC32C());
  }

  StoredFilter read() throws IOException {
    if (readInt("magic") != FilterFormat.MAGIC) {
      throw new FilterFormatException("Magic: the bytes do not begin with BLMJ, so are no filter");
    }
    int version = readInt("version");
    if (version < 1 || version > FilterFormat.VERSION) {
      throw new FilterFormatException(
          "Version: only 1 to "
              + FilterFormat.VERSION
              + " are known; got "
              + Integer.toUnsignedString(version)
              + ". Read the filter with the Bloomjoin that wrote it, or a newer one");
    }
    int length = readInt("header length");
    if (length < 0 || length > FilterHeader.MAX_LENGTH) {
      throw new FilterFormatException(
          "Header length: at most "
              + FilterHeader.MAX_LENGTH
              + " bytes; got "
              + Integer.toUnsignedString(length));
    }
    FilterHeader header = FilterHeader.fromBytes(readBytes(length, "header"), version);
    BloomFilter filter =
        header.structure() == FilterHeader.SCALABLE ? readChain(header) : readFilter(header);
    return new StoredFilter(filter, header.metadata());
  }

  private BloomFilter readFilter(FilterHeader header) throws IOException {
    long[] words;
    if (header.encoding() == FilterHeader.SPARSE) {
      byte[] sparse = readBytes((int) header.payloadLength(), "payload");
      readChecksum();
      checkMemory((long) header.words() * Long.BYTES);
      words = new long[header.words()];
      SparseBits.decode(sparse, header.structure(), header.size(), words);
    } else {
      words = readWords(header.words());
      readChecksum();
    }
    try {
      return header.filterOf(words);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException("Payload: " + e.getMessage());
    }
  }

  /** Sparse stages are expanded when the checksum was found right. */
  private BloomFilter readChain(FilterHeader header) throws IOException {
    int count = (int) header.size();
    StageHeader[] headers = new StageHeader[count];
    byte[][] sparse = new byte[count][];
    long[][] words = new long[count][];
    long left = header.payloadLength();
    long expanded = 0;
    for (int i = 0; i < count; i++) {
      headers[i] = StageHeader.fromBytes(readBytes(StageHeader.LENGTH, "stage"));
      left -= StageHeader.LENGTH + headers[i].length();
      if (left < 0) {
        throw new FilterFormatException(
            "Payload length: the stages take more than " + header.payloadLength() + " bytes");
      }
      if (headers[i].encoding() == FilterHeader.SPARSE) {
        sparse[i] = readBytes((int) headers[i].length(), "payload");
        expanded += (long) headers[i].words() * Long.BYTES;
      } else {
        words[i] = readWords(headers[i].words());
      }
    }
    if (left > 0) {
      throw new FilterFormatException(
          "Payload length: " + left + " bytes are left after the last stage");
    }
    readChecksum();
    checkMemory(expanded);
    return chainOf(headers, sparse, words);
  }

  private static BloomFilter chainOf(StageHeader[] headers, byte[][] sparse, long[][] words)
      throws FilterFormatException {
    SplitBlockBloomFilter[] stages = new SplitBlockBloomFilter[headers.length];
    for (int i = 0; i < stages.length; i++) {
      if (sparse[i] != null) {
        words[i] = new long[headers[i].words()];
        SparseBits.decode(sparse[i], FilterHeader.SPLIT_BLOCK, headers[i].blocks(), words[i]);
      }
      stages[i] = SplitBlockBloomFilter.ofWords(words[i]);
    }
    return ScalableBloomFilter.of(
        stages,
        Arrays.stream(headers).mapToLong(StageHeader::keys).toArray(),
        Arrays.stream(headers).mapToDouble(StageHeader::fpp).toArray());
  }

  /** A few sparse bytes may stand for much memory; there is no other warning of it. */
  private static void checkMemory(long bytes) throws FilterFormatException {
    long most = Runtime.getRuntime().maxMemory() / 2;
    if (bytes > most) {
      throw new FilterFormatException(
          "Payload: the filter takes "
              + bytes
              + " bytes of memory, more than half of what this Java virtual machine has; give it"
              + " more (-Xmx)");
    }
  }

  /** The array grows as words arrive, so that a false length costs nothing. */
  private long[] readWords(int count) throws IOException {
    long[] words = new long[Math.min(count, FilterFormat.CHUNK_WORDS)];
    int read = 0;
    while (true) {
      int chunk = Math.min(words.length - read, FilterFormat.CHUNK_WORDS);
      LittleEndian.wrap(readBytes(chunk * Long.BYTES, "payload"))
          .asLongBuffer()
          .get(words, read, chunk);
      read += chunk;
      if (read == count) {
        return words;
      }
      if (read == words.length) {
        words = Arrays.copyOf(words, (int) Math.min(count, 2L * words.length));
      }
    }
  }

  private void readChecksum() throws IOException {
    int expected = (int) in.getChecksum().getValue();
    int stored = readInt("checksum");
    if (stored != expected) {
      throw new FilterFormatException(
          String.format(
              "Checksum: %08x is stored, but the bytes before it have %08x; they were damaged",
              stored, expected));
    }
  }

  private int readInt(String field) throws IOException {
    return LittleEndian.wrap(readBytes(Integer.BYTES, field)).getInt();
  }

  /** Takes memory as bytes arrive, not as they are announced. */
  private byte[] readBytes(int length, String field) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new FilterFormatException(
          "The bytes end within the "
              + field
              + ": "
              + length
              + " expected, "
              + bytes.length
              + " found");
    }
    return bytes;
  }
}
