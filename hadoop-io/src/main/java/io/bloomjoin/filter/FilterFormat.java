package io.bloomjoin.filter;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Filters as bytes, the same bytes wherever a filter is stored or sent; specified in {@code
 * docs/filter-format.md}.
 *
 * <p>Equal filters with equal metadata have equal bytes. What is read may come from anywhere:
 * memory is taken as bytes arrive, and a short form is expanded (to 128 MiB at most) only after its
 * checksum was found right.
 */
public final class FilterFormat {

  /** "BLMJ" in ASCII, read as a little-endian int. */
  static final int MAGIC = 0x4A4D4C42;

  /** The newest version; plain filters are of version 1. */
  static final int VERSION = 2;

  /** Magic, version and header length. */
  static final int PROLOGUE_LENGTH = 3 * Integer.BYTES;

  static final int CHECKSUM_LENGTH = Integer.BYTES;

  /** Raw bits are written and read in steps of 64 KiB. */
  static final int CHUNK_WORDS = 8 * 1024;

  /** The longest array that every Java virtual machine allocates. */
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  private FilterFormat() {}

  /**
   * The bytes of a filter.
   *
   * @throws IllegalArgumentException if the metadata take more than 1 MiB, or the whole more than
   *     the 2 GiB of an array
   */
  public static byte[] toBytes(BloomFilter filter, FilterMetadata metadata) {
    FilterWriter writer = new FilterWriter(filter, metadata);
    if (writer.length() > MAX_ARRAY) {
      throw new IllegalArgumentException(
          "The filter takes "
              + writer.length()
              + " bytes, more than an array holds; write it to a stream");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) writer.length());
    try {
      writer.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return out.toByteArray();
  }

  /**
   * Writes the bytes of a filter. The stream is neither flushed nor closed.
   *
   * @throws IllegalArgumentException if the metadata take more than 1 MiB
   */
  public static void write(BloomFilter filter, FilterMetadata metadata, OutputStream out)
      throws IOException {
    new FilterWriter(filter, metadata).writeTo(out);
  }

  /**
   * The filter of those bytes.
   *
   * @throws FilterFormatException if they are not one whole filter and nothing else
   */
  public static StoredFilter fromBytes(byte[] bytes) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    StoredFilter stored = read(in);
    if (in.available() > 0) {
      throw new FilterFormatException(
          in.available() + " bytes follow the filter's checksum, where nothing may follow");
    }
    return stored;
  }

  /**
   * Reads one filter and no byte more. The stream is not closed.
   *
   * @throws FilterFormatException if the stream does not begin with one whole filter
   */
  public static StoredFilter read(InputStream in) throws IOException {
    return new FilterReader(in).read();
  }
}
