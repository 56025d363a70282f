package io.bloomjoin.hadoop.cli;

import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.JsonSerialization;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Tells what a filter holds and how full it is.",
    sortOptions = false)
final class InfoCommand implements Callable<Integer> {

  private enum Format {
    TEXT,
    JSON
  }

  private final Configuration configuration;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file of the filter.")
  private String file;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Format format;

  InfoCommand(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Integer call() throws IOException {
    Path path = new Path(file);
    StoredFilter stored = FilterFiles.load(path, configuration);
    long fileBytes = path.getFileSystem(configuration).getFileStatus(path).getLen();
    Map<String, Object> facts = FilterFacts.of(stored, fileBytes);
    PrintWriter out = spec.commandLine().getOut();
    if (format == Format.JSON) {
      out.println(new JsonSerialization<>(Map.class, false, false).toJson(facts));
    } else {
      facts.forEach((name, value) -> out.printf("%-16s %s%n", name, FilterFacts.text(value)));
    }
    return 0;
  }
}
