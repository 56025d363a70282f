package io.bloomjoin.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.key.KeyHash;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** Filters that another Java virtual machine wrote, in every way that there is. */
class TwoVirtualMachinesTest {

  private static final int KEYS = 10_000;

  /** How a filter becomes bytes and a filter again. */
  private enum Way {
    JAVA {
      @Override
      void write(StoredFilter filter, Path path) throws Exception {
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(path))) {
          out.writeObject(filter);
        }
      }

      @Override
      StoredFilter read(Path path) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(path))) {
          return (StoredFilter) in.readObject();
        }
      }
    },
    KRYO {
      @Override
      void write(StoredFilter filter, Path path) throws IOException {
        try (Output out = new Output(Files.newOutputStream(path))) {
          kryo().writeClassAndObject(out, filter);
        }
      }

      @Override
      StoredFilter read(Path path) throws IOException {
        try (Input in = new Input(Files.newInputStream(path))) {
          return (StoredFilter) kryo().readClassAndObject(in);
        }
      }
    },
    WRITABLE {
      @Override
      void write(StoredFilter filter, Path path) throws IOException {
        try (OutputStream out = Files.newOutputStream(path)) {
          new BloomFilterWritable(filter).write(new DataOutputStream(out));
        }
      }

      @Override
      StoredFilter read(Path path) throws IOException {
        BloomFilterWritable writable = new BloomFilterWritable();
        try (InputStream in = Files.newInputStream(path)) {
          writable.readFields(new DataInputStream(in));
        }
        return writable.stored();
      }
    },
    FILE {
      @Override
      void write(StoredFilter filter, Path path) throws IOException {
        FilterFiles.save(filter, path.toUri().toString(), new Configuration());
      }

      @Override
      StoredFilter read(Path path) throws IOException {
        return FilterFiles.load(path.toUri().toString(), new Configuration());
      }
    };

    abstract void write(StoredFilter filter, Path path) throws Exception;

    abstract StoredFilter read(Path path) throws Exception;

    /** Makes objects as Spark's Kryo does. */
    private static Kryo kryo() {
      Kryo kryo = new Kryo();
      kryo.setInstantiatorStrategy(
          new Kryo.DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
      return kryo;
    }
  }

  @TempDir Path folder;

  private static List<StoredFilter> filters() {
    return List.of(
        Filters.splitBlock(0),
        Filters.splitBlock(KEYS),
        Filters.classic(0),
        Filters.classic(KEYS),
        Filters.counting(KEYS),
        Filters.scalable(0),
        Filters.scalable(KEYS));
  }

  @Test
  void filters_keepTheirBitsAndAnswers() throws Exception {
    runWriter();
    for (Way way : Way.values()) {
      for (int i = 0; i < filters().size(); i++) {
        StoredFilter expected = filters().get(i);
        StoredFilter read = way.read(file(folder, way, i));
        assertEquals(expected, read, way.toString());
        assertSameAnswers(expected.filter(), read.filter());
      }
    }
  }

  private static void assertSameAnswers(BloomFilter expected, BloomFilter read) {
    IntStream.range(0, 2 * KEYS)
        .mapToLong(i -> KeyHash.ofString("key-" + i))
        .forEach(hash -> assertEquals(expected.mightContain(hash), read.mightContain(hash)));
  }

  private void runWriter() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TwoVirtualMachinesTest.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor() == 0, output);
  }

  /** The other machine: writes every filter in every way into the folder. */
  public static void main(String[] arguments) throws Exception {
    for (Way way : Way.values()) {
      for (int i = 0; i < filters().size(); i++) {
        way.write(filters().get(i), file(Path.of(arguments[0]), way, i));
      }
    }
  }

  private static Path file(Path folder, Way way, int number) {
    return folder.resolve(way + "-" + number);
  }
}
