package io.bloomjoin.hadoop.cli;

import io.bloomjoin.filter.BloomFilter;
import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.filter.FoldedUnion;
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
      "Split-block filters of different sizes are folded to the smallest."
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
    StoredFilter first = FilterFiles.load(files.get(0), configuration);
    BloomFilter union = first.filter();
    double worstTarget = first.metadata().targetFpp();
    for (String file : files.subList(1, files.size())) {
      StoredFilter next = FilterFiles.load(file, configuration);
      if (!next.metadata().keyTypes().equals(first.metadata().keyTypes())) {
        throw new IllegalArgumentException(
            String.format(
                "The keys of %s are of the types %s, those of %s of %s; they cannot be merged",
                files.get(0), first.metadata().keyTypes(), file, next.metadata().keyTypes()));
      }
      union = FoldedUnion.of(List.of(union, next.filter()));
      worstTarget = Math.max(worstTarget, next.metadata().targetFpp());
    }
    long keys = union.estimatedKeys();
    FilterMetadata metadata =
        new FilterMetadata(
            first.metadata().keyTypes(),
            keys == Long.MAX_VALUE ? FilterMetadata.UNKNOWN_KEY_COUNT : keys,
            worstTarget,
            Map.of(
                FilterMetadata.SOURCE,
                String.join(",", files),
                FilterMetadata.BUILT,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                FilterMetadata.TOOL,
                "bloomjoin merge"));
    FilterFiles.save(new StoredFilter(union, metadata), new Path(output), configuration);
    spec.commandLine()
        .getOut()
        .printf(
            "%s: about %s keys, %d bytes, fpp %.4f%n",
            output,
            keys == Long.MAX_VALUE ? "an unknown number of" : keys,
            union.sizeInBytes(),
            union.fpp());
    return 0;
  }
}
