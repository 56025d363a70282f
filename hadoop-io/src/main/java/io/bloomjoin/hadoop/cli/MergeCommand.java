package io.bloomjoin.hadoop.cli;

import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.FilterUnion;
import io.bloomjoin.filter.StoredFilter;
import io.bloomjoin.hadoop.FilterFiles;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "merge",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Unites filters into one that holds the keys of all.",
      "Filters of one structure: split-block ones of any sizes, of which the result has the",
      "largest; classic or counting ones of one size."
    },
    sortOptions = false)
final class MergeCommand implements Callable<Integer> {

  private final Configuration configuration;

  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The files of the filters.")
  private List<String> files;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "The file of the result; may be one of the others, and is replaced.")
  private String output;

  MergeCommand(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Integer call() throws IOException {
    FilterUnion all = new FilterUnion();
    for (String file : files) {
      StoredFilter next = FilterFiles.load(file, configuration);
      try {
        all.add(next);
      } catch (IllegalArgumentException doesNotFit) {
        throw new IllegalArgumentException(file + ": " + doesNotFit.getMessage(), doesNotFit);
      }
    }
    // There is at least one file.
    StoredFilter union = all.finish().orElseThrow();
    FilterMetadata metadata =
        new FilterMetadata(
            union.metadata().keyTypes(),
            union.metadata().keyCount(),
            union.metadata().targetFpp(),
            Map.of(
                FilterMetadata.SOURCE,
                String.join(",", files),
                FilterMetadata.BUILT,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                FilterMetadata.TOOL,
                "bloomjoin merge"));
    FilterFiles.save(new StoredFilter(union.filter(), metadata), new Path(output), configuration);
    spec.commandLine()
        .getOut()
        .printf(
            "%s: about %s keys, %d bytes, fpp %.4f%n",
            output,
            metadata.keyCount() < 0 ? "an unknown number of" : metadata.keyCount(),
            union.filter().sizeInBytes(),
            union.filter().fpp());
    return 0;
  }
}
