package io.bloomjoin.hadoop.cli;

import io.bloomjoin.filter.FilterGoal;
import io.bloomjoin.hadoop.job.FilterBuildJob;
import io.bloomjoin.hadoop.job.JoinJob;
import io.bloomjoin.hadoop.job.JoinJob.JoinType;
import io.bloomjoin.hadoop.job.KeyedInput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "join",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Joins a large input with a small one, whose filter prunes the large one before the shuffle.",
      "A row of the output is the line of the large side, its delimiter, and that of the small one."
    },
    sortOptions = false)
final class JoinCommand implements Callable<Integer> {

  private static final String FORMATS =
      "The format of its files: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.";
  private static final FilterGoal GOAL = FilterGoal.ofFpp(FilterGoal.DEFAULT_FPP);
  private static final long MAX_BYTES = 1L << 27;

  private final Configuration configuration;

  @Spec private CommandSpec spec;

  @Option(
      names = "--large",
      required = true,
      paramLabel = "PATH",
      description = "The large input. May be repeated.")
  private List<String> large;

  @Option(
      names = "--large-key",
      required = true,
      split = ",",
      paramLabel = "COLUMN",
      description = "Its key columns, as for build.")
  private List<String> largeKey;

  @Option(names = "--large-format", defaultValue = "TEXT", description = FORMATS)
  private Inputs.Format largeFormat;

  @Option(names = "--large-delimiter", paramLabel = "CHAR", description = "Between its fields.")
  private String largeDelimiter;

  @Option(names = "--large-header", description = "The first line of its files has the names.")
  private boolean largeHeader;

  @Option(
      names = "--small",
      required = true,
      paramLabel = "PATH",
      description = "The small input. May be repeated.")
  private List<String> small;

  @Option(
      names = "--small-key",
      required = true,
      split = ",",
      paramLabel = "COLUMN",
      description = "Its key columns, in the order of the large side's.")
  private List<String> smallKey;

  @Option(names = "--small-format", defaultValue = "TEXT", description = FORMATS)
  private Inputs.Format smallFormat;

  @Option(names = "--small-delimiter", paramLabel = "CHAR", description = "Between its fields.")
  private String smallDelimiter;

  @Option(names = "--small-header", description = "The first line of its files has the names.")
  private boolean smallHeader;

  @Option(
      names = {"-t", "--type"},
      split = ",",
      paramLabel = "TYPE",
      description = "The types of the key columns, as for build; of both sides.")
  private List<String> types;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description = "A text that stands for null in a key. May be repeated. Default: \\N.")
  private List<String> nulls;

  @Option(
      names = "--bad-keys",
      defaultValue = "FAIL",
      description =
          "What to do with a key that is no value of its type: ${COMPLETION-CANDIDATES}."
              + " Default: ${DEFAULT-VALUE}.")
  private Inputs.BadKeys badKeys;

  @Option(
      names = {"-f", "--filter"},
      paramLabel = "FILE",
      description =
          "The file of a filter over the small side's keys. Without it, one is built first.")
  private String filter;

  @Option(names = "--no-filter", description = "Joins without a filter.")
  private boolean noFilter;

  @Option(
      names = "--join",
      defaultValue = "INNER",
      description =
          "${COMPLETION-CANDIDATES}; SEMI gives each row of the large side that has a match,"
              + " once. Default: ${DEFAULT-VALUE}.")
  private JoinType type;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FOLDER",
      description = "The folder for the joined rows, lines of text.")
  private String output;

  JoinCommand(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public Integer call() throws IOException {
    if (noFilter && filter != null) {
      throw new IllegalArgumentException("--filter and --no-filter exclude each other");
    }
    if (noFilter) {
      join(Optional.empty());
    } else if (filter != null) {
      join(Optional.of(new Path(filter)));
    } else {
      joinWithFilterOfItsOwn();
    }
    return 0;
  }

  private void joinWithFilterOfItsOwn() throws IOException {
    Path folder = new Path(output);
    Path built = new Path(folder.getParent(), "." + folder.getName() + "." + UUID.randomUUID());
    FileSystem files = built.getFileSystem(configuration);
    try {
      new FilterBuildJob(configuration, small(), GOAL, MAX_BYTES).run(built);
      join(Optional.of(built));
    } finally {
      files.delete(built, false);
    }
  }

  private void join(Optional<Path> path) throws IOException {
    KeyedInput largeInput =
        Inputs.of(largeFormat, large, largeKey, types, largeDelimiter, largeHeader, nulls, badKeys);
    JoinJob job = new JoinJob(configuration, largeInput, small(), type, path);
    Counts.print(job.run(new Path(output)), spec.commandLine().getOut());
  }

  private KeyedInput small() {
    return Inputs.of(
        smallFormat, small, smallKey, types, smallDelimiter, smallHeader, nulls, badKeys);
  }
}
