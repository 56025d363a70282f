package io.bloomjoin.hadoop.cli;

import io.bloomjoin.hadoop.job.PruneJob;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "prune",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Copies the rows of files whose key a filter may hold.",
    sortOptions = false)
final class PruneCommand implements Callable<Integer> {

  private final Configuration configuration;

  @Spec private CommandSpec spec;

  @Mixin private InputOptions input;

  @Option(
      names = {"-f", "--filter"},
      required = true,
      paramLabel = "FILE",
      description = "The file of the filter.")
  private String filter;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FOLDER",
      description = "The folder for the rows that pass, in the format of the input.")
  private String output;

  @Option(names = "--keep-nulls", description = "Copies rows with a null in the key, too.")
  private boolean keepNulls;

  PruneCommand(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Integer call() throws IOException {
    PruneJob job = new PruneJob(configuration, input.input(), new Path(filter), keepNulls);
    Counts.print(job.run(new Path(output)), spec.commandLine().getOut());
    return 0;
  }
}
