package io.bloomjoin.hadoop.cli;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.job.FilterBuildJob;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Builds a filter over the keys of files, and saves it.",
    sortOptions = false)
final class BuildCommand implements Callable<Integer> {

  private final Configuration configuration;

  @Spec private CommandSpec spec;

  @Mixin private InputOptions input;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "The file of the filter. One that is there is replaced when all is done.")
  private String output;

  @Option(
      names = {"-n", "--expected-keys"},
      defaultValue = "0",
      paramLabel = "N",
      description =
          "The number of distinct keys that the filter has room for at least. Default: as many as"
              + " there are.")
  private long expectedKeys;

  @Option(
      names = {"-p", "--fpp"},
      defaultValue = "" + FilterGoal.DEFAULT_FPP,
      description = "The false positive probability. Default: ${DEFAULT-VALUE}.")
  private double fpp;

  @Option(
      names = "--max-bytes",
      defaultValue = "" + Long.MAX_VALUE,
      paramLabel = "BYTES",
      description = "The largest size; accuracy suffers beyond it. Default: what the keys need.")
  private long maxBytes;

  @Option(
      names = "--no-properties",
      description =
          "Notes no source, time and tool, so that the same keys always give the same bytes.")
  private boolean noProperties;

  BuildCommand(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Integer call() throws IOException {
    FilterBuildJob job =
        new FilterBuildJob(
            configuration, input.input(), new FilterGoal(expectedKeys, fpp), maxBytes);
    Path path = new Path(output);
    StoredFilter stored = noProperties ? job.run(path, Map.of()) : job.run(path);
    long keys = stored.metadata().keyCount();
    spec.commandLine()
        .getOut()
        .printf(
            "%s: about %s keys of %d rows (%d with a null key), %d bytes, fpp %.4f%n",
            output,
            keys == FilterMetadata.UNKNOWN_KEY_COUNT ? "an unknown number of" : keys,
            job.rows(),
            job.nullKeys(),
            stored.filter().sizeInBytes(),
            stored.filter().fpp());
    if (stored.filter().isSaturated()) {
      spec.commandLine()
          .getErr()
          .println("bloomjoin build: the filter is too full to be of use; raise --max-bytes");
    }
    return 0;
  }
}
