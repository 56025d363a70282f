package io.bloomjoin.filter;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/** Writes one filter, in the shorter of the two encodings. */
final class FilterWriter {

  /** A part of the payload: the bits of the whole filter, or a stage of a chain with its head. */
  private static final class Part {
    private final byte[] head;
    private final Optional<byte[]> sparse;
    private final long[] words;

    private Part(byte[] head, Optional<byte[]> sparse, long[] words) {
      this.head = head;
      this.sparse = sparse;
      this.words = words;
    }

    static Part of(BloomFilter filter, long[] words) {
      return new Part(new byte[0], SparseBits.encode(filter), words);
    }

    static Part ofStage(ScalableBloomFilter chain, int number) {
      SplitBlockBloomFilter stage = chain.stage(number);
      Part part = of(stage, stage.words());
      StageHeader header =
          new StageHeader(
              stage.blocks(),
              chain.stageKeys(number),
              chain.stageFpp(number),
              part.encoding(),
              part.bodyLength());
      return new Part(header.toBytes(), part.sparse, part.words);
    }

    int encoding() {
      return sparse.isPresent() ? FilterHeader.SPARSE : FilterHeader.RAW;
    }

    long bodyLength() {
      return sparse.map(bytes -> (long) bytes.length).orElse((long) words.length * Long.BYTES);
    }

    long length() {
      return head.length + bodyLength();
    }

    void writeTo(OutputStream out) throws IOException {
      out.write(head);
      if (sparse.isPresent()) {
        out.write(sparse.get());
        return;
      }
      byte[] chunk = new byte[Math.min(words.length, FilterFormat.CHUNK_WORDS) * Long.BYTES];
      for (int at = 0; at < words.length; at += FilterFormat.CHUNK_WORDS) {
        int count = Math.min(FilterFormat.CHUNK_WORDS, words.length - at);
        LittleEndian.wrap(chunk).asLongBuffer().put(words, at, count);
        out.write(chunk, 0, count * Long.BYTES);
      }
    }
  }

  private final List<Part> parts;
  private final int version;
  private final byte[] header;

  FilterWriter(BloomFilter filter, FilterMetadata metadata) {
    parts = parts(filter);
    int encoding =
        filter instanceof ScalableBloomFilter ? FilterHeader.RAW : parts.get(0).encoding();
    FilterHeader fields = FilterHeader.of(filter, metadata, encoding, payloadLength());
    version = fields.version();
    header = fields.toBytes();
  }

  private static List<Part> parts(BloomFilter filter) {
    if (filter instanceof SplitBlockBloomFilter splitBlock) {
      return List.of(Part.of(splitBlock, splitBlock.words()));
    }
    if (filter instanceof ClassicBloomFilter classic) {
      return List.of(Part.of(classic, classic.words()));
    }
    if (filter instanceof CountingBloomFilter counting) {
      return List.of(Part.of(counting, counting.counters()));
    }
    ScalableBloomFilter chain = (ScalableBloomFilter) filter;
    List<Part> stages = new ArrayList<>();
    for (int i = 0; i < chain.stages(); i++) {
      stages.add(Part.ofStage(chain, i));
    }
    return stages;
  }

  private long payloadLength() {
    return parts.stream().mapToLong(Part::length).sum();
  }

  /** The number of bytes that {@link #writeTo} writes. */
  long length() {
    return FilterFormat.PROLOGUE_LENGTH
        + header.length
        + payloadLength()
        + FilterFormat.CHECKSUM_LENGTH;
  }

  void writeTo(OutputStream out) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32C());
    byte[] prologue = new byte[FilterFormat.PROLOGUE_LENGTH];
    LittleEndian.wrap(prologue).putInt(FilterFormat.MAGIC).putInt(version).putInt(header.length);
    checked.write(prologue);
    checked.write(header);
    for (Part part : parts) {
      part.writeTo(checked);
    }
    byte[] checksum = new byte[FilterFormat.CHECKSUM_LENGTH];
    LittleEndian.wrap(checksum).putInt((int) checked.getChecksum().getValue());
    out.write(checksum);
  }
}
