package io.bloomjoin.filter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * Gives the reader filters that were changed, cut, glued and made up, most with the right checksum,
 * so that the checks behind it are reached. Ends with 1, and the input, if anything comes out but a
 * filter or a {@link FilterFormatException} with a reason.
 */
final class ReaderFuzz {

  /** No input takes longer; a pause of the machine may. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The numbers that go wrong most often. */
  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    7,
    8,
    31,
    32,
    33,
    64,
    127,
    128,
    255,
    256,
    0xFFFF,
    1 << 16,
    1 << 20,
    1 << 22,
    (1 << 22) + 1,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    0xFFFFFFFFL,
    1L << 32,
    536870909,
    536870910,
    137438952960L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Double.doubleToLongBits(0.01)
  };

  /** Where the numbers of the header stand; the rest is strings and bits. */
  private static final int[] FIELDS = {4, 8, 12, 13, 14, 15, 16, 17, 25, 33, 41, 49, 57, 59, 61};

  private final Random random;
  private final List<byte[]> valid = new ArrayList<>();

  private ReaderFuzz(long seed) {
    random = new Random(seed);
    for (FilterMetadata metadata :
        List.of(
            FilterMetadata.UNKNOWN,
            new FilterMetadata(List.of("bigint", "string"), 5, 0.01, Map.of("é", "", "b", "c")))) {
      for (int keys : new int[] {0, 1, 5, 60}) {
        for (int size : new int[] {1, 3, 40}) {
          SplitBlockBloomFilterBuilder splitBlock = SplitBlockBloomFilterBuilder.withBlocks(size);
          ClassicBloomFilterBuilder classic = ClassicBloomFilterBuilder.withBits(size * 37L, 3);
          CountingBloomFilterBuilder counting = CountingBloomFilterBuilder.withBlocks(size);
          ScalableBloomFilterBuilder scalable = ScalableBloomFilterBuilder.byAccuracy(size, 0.1);
          for (long hash : Hashes.of(1, keys)) {
            splitBlock.add(hash);
            classic.add(hash);
            counting.add(hash);
            scalable.add(hash);
          }
          for (BloomFilter filter :
              List.of(splitBlock.build(), classic.build(), counting.build(), scalable.build())) {
            valid.add(FilterFormat.toBytes(filter, metadata));
          }
        }
      }
    }
  }

  public static void main(String[] arguments) {
    int inputs = Integer.parseInt(arguments[0]);
    ReaderFuzz fuzz = new ReaderFuzz(Long.parseLong(arguments[1]));
    int filters = 0;
    for (int i = 0; i < inputs; i++) {
      byte[] input = fuzz.next();
      long start = System.nanoTime();
      try {
        StoredFilter stored = FilterFormat.read(new ByteArrayInputStream(input));
        stored.filter().mightContain(i);
        filters++;
      } catch (FilterFormatException e) {
        if (e.getMessage().length() < 10) {
          fail(i, input, e);
        }
      } catch (IOException | RuntimeException | Error e) {
        fail(i, input, e);
      }
      if (System.nanoTime() - start > MOST_NANOS) {
        fail(i, input, new IllegalStateException("The reader hangs"));
      }
    }
    System.out.printf("%d inputs: %d filters, %d refused%n", inputs, filters, inputs - filters);
  }

  private static void fail(int number, byte[] input, Throwable cause) {
    System.out.println("Input " + number + ": " + HexFormat.of().formatHex(input));
    cause.printStackTrace(System.out);
    System.exit(1);
  }

  private byte[] next() {
    byte[] input =
        switch (random.nextInt(8)) {
          case 0 -> madeUp();
          case 1 -> glued();
          default -> any().clone();
        };
    int changes = random.nextInt(4);
    for (int i = 0; i < changes && input.length > 20; i++) {
      change(input);
    }
    if (random.nextInt(8) == 0) {
      input = Arrays.copyOf(input, random.nextInt(input.length + 1));
    }
    if (random.nextInt(4) > 0 && input.length >= 4) {
      withChecksum(input);
    }
    return input;
  }

  private byte[] any() {
    return valid.get(random.nextInt(valid.size()));
  }

  /** A right beginning, and then noise. */
  private byte[] madeUp() {
    byte[] noise = new byte[random.nextInt(200)];
    random.nextBytes(noise);
    byte[] real = any();
    int kept = random.nextInt(Math.min(noise.length, real.length) + 1);
    System.arraycopy(real, 0, noise, 0, kept);
    return noise;
  }

  /** The beginning of one and the end of another. */
  private byte[] glued() {
    byte[] one = any();
    byte[] other = any();
    int cut = random.nextInt(one.length + 1);
    int from = random.nextInt(other.length + 1);
    byte[] both = Arrays.copyOf(one, cut + other.length - from);
    System.arraycopy(other, from, both, cut, other.length - from);
    return both;
  }

  private void change(byte[] input) {
    ByteBuffer bytes = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
    int at =
        random.nextInt(3) == 0
            ? random.nextInt(input.length)
            : FIELDS[random.nextInt(FIELDS.length)];
    if (at >= input.length) {
      return;
    }
    switch (random.nextInt(4)) {
      case 0 -> input[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> input[at] = (byte) random.nextInt(6);
      case 2 -> input[at] = (byte) random.nextInt();
      default -> {
        if (at + Long.BYTES <= input.length) {
          bytes.putLong(at, EDGES[random.nextInt(EDGES.length)]);
        }
      }
    }
  }

  private static void withChecksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length - 4, (int) checksum.getValue());
  }
}
