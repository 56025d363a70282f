package io.bloomjoin.hadoop.cli;

import io.bloomjoin.convert.HadoopBloomFilter;
import io.bloomjoin.convert.SparkSketchFilter;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import io.bloomjoin.key.KeyBuffer;
import io.bloomjoin.key.KeyType;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "probe",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Asks a filter for keys.",
    footer = "Exit codes: as ever, and 3 if some key is surely not in the filter.",
    sortOptions = false)
final class ProbeCommand implements Callable<Integer> {

  private static final int SOME_KEY_IS_NOT_IN_IT = 3;

  private enum Writer {
    BLOOMJOIN,
    SPARK,
    HADOOP
  }

  private final Configuration configuration;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The file of the filter.")
  private String file;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "KEY",
      description = "The keys; the columns of a key stand between tabs.")
  private List<String> keys;

  @Option(
      names = {"-t", "--type"},
      split = ",",
      paramLabel = "TYPE",
      description = "The types of the key columns, if the filter does not tell.")
  private List<String> types;

  @Option(
      names = "--from",
      defaultValue = "BLOOMJOIN",
      description =
          "Who wrote the filter: ${COMPLETION-CANDIDATES}. SPARK is its sketch library; keys are"
              + " strings, or with --type bigint integers. Default: ${DEFAULT-VALUE}.")
  private Writer writer;

  @Option(
      names = "--delimiter",
      defaultValue = "\\t",
      paramLabel = "CHAR",
      description = "The character between the columns of a key, if not a tab.")
  private String delimiter;

  ProbeCommand(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Integer call() throws IOException {
    Predicate<String> filter =
        switch (writer) {
          case BLOOMJOIN -> ownFilter();
          case SPARK -> sparkFilter();
          case HADOOP -> hadoopFilter();
        };
    boolean someIsNotIn = false;
    for (String key : keys) {
      boolean found = filter.test(key);
      someIsNotIn |= !found;
      spec.commandLine().getOut().println(key + "\t" + (found ? "perhaps" : "no"));
    }
    return someIsNotIn ? SOME_KEY_IS_NOT_IN_IT : 0;
  }

  private Predicate<String> ownFilter() throws IOException {
    StoredFilter stored = FilterFiles.load(file, configuration);
    List<KeyType> keyTypes = keyTypes(stored.metadata().keyTypes());
    return key -> stored.filter().mightContain(hash(key, keyTypes));
  }

  private Predicate<String> sparkFilter() throws IOException {
    boolean isLong = typeIs("bigint");
    try (InputStream in = open()) {
      SparkSketchFilter filter = SparkSketchFilter.read(in);
      return key -> isLong ? filter.mightContain(Long.parseLong(key)) : filter.mightContain(key);
    }
  }

  private Predicate<String> hadoopFilter() throws IOException {
    if (typeIs("bigint")) {
      throw new IllegalArgumentException(
          "The keys of Hadoop's filters are bytes, here those of strings; got --type bigint");
    }
    try (InputStream in = open()) {
      return HadoopBloomFilter.read(in)::mightContain;
    }
  }

  private boolean typeIs(String name) {
    if (types == null || types.equals(List.of("string"))) {
      return false;
    }
    if (types.equals(List.of(name))) {
      return true;
    }
    throw new IllegalArgumentException(
        "Keys of filters of others are string or " + name + "; got --type " + types);
  }

  private InputStream open() throws IOException {
    Path path = new Path(file);
    return new BufferedInputStream(path.getFileSystem(configuration).open(path));
  }

  private List<KeyType> keyTypes(List<String> held) {
    if (types == null) {
      return held.isEmpty() ? List.of(KeyType.STRING) : held.stream().map(KeyType::parse).toList();
    }
    List<KeyType> asked = Inputs.types(types);
    List<String> names = asked.stream().map(KeyType::toString).toList();
    if (!held.isEmpty() && !held.equals(names)) {
      throw new IllegalArgumentException(
          String.format("The filter holds keys of the types %s, not %s", held, names));
    }
    return asked;
  }

  private long hash(String key, List<KeyType> keyTypes) {
    char between = Inputs.delimiter(delimiter);
    KeyBuffer buffer = KeyBuffer.ofHashes();
    int start = 0;
    for (int i = 0; i < keyTypes.size(); i++) {
      boolean isLast = i == keyTypes.size() - 1;
      int end = isLast ? key.length() : key.indexOf(between, start);
      if (end < 0) {
        throw new IllegalArgumentException(
            "A key has " + keyTypes.size() + " columns; got \"" + key + "\"");
      }
      byte[] bytes = key.substring(start, end).getBytes(StandardCharsets.UTF_8);
      keyTypes.get(i).putText(bytes, 0, bytes.length, buffer);
      start = end + 1;
    }
    return buffer.hash();
  }
}
