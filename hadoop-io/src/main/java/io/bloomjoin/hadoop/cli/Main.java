package io.bloomjoin.hadoop.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.GenericOptionsParser;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** The door of the command line: takes Hadoop's own options, and runs a command. */
@Command(
    name = "bloomjoin",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Builds, keeps and uses Bloom filters over the keys of files.",
    footer = {
      "",
      "Hadoop's own options (-D name=value, -conf, -fs, -libjars) stand right behind the command.",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong usage."
    })
public final class Main {

  /** What was asked for did not work out. */
  static final int FAILED = 1;

  private Main() {}

  /** Ends the virtual machine with the exit code of the command. */
  public static void main(String[] arguments) {
    System.exit(
        run(
            new Configuration(),
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            arguments));
  }

  /**
   * Runs a command.
   *
   * @param configuration takes Hadoop's own options
   * @return 0 if it worked, 1 if not, 2 if the arguments are wrong; commands may have more
   */
  static int run(
      Configuration configuration, PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine commands =
        new CommandLine(new Main())
            .addSubcommand(new BuildCommand(configuration))
            .addSubcommand(new PruneCommand(configuration))
            .addSubcommand(new JoinCommand(configuration))
            .addSubcommand(new InfoCommand(configuration))
            .addSubcommand(new MergeCommand(configuration))
            .addSubcommand(new ProbeCommand(configuration))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(out)
            .setErr(err)
            .setExecutionExceptionHandler(new Failure());
    if (arguments.length == 0) {
      commands.usage(err);
      return CommandLine.ExitCode.USAGE;
    }
    try {
      return commands.execute(withoutHadoopOptions(configuration, arguments));
    } catch (IOException e) {
      err.println("bloomjoin: " + e.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
  }

  private static String[] withoutHadoopOptions(Configuration configuration, String[] arguments)
      throws IOException {
    String[] behind = Arrays.copyOfRange(arguments, 1, arguments.length);
    String[] rest = new GenericOptionsParser(configuration, behind).getRemainingArgs();
    String[] own = new String[rest.length + 1];
    own[0] = arguments[0];
    System.arraycopy(rest, 0, own, 1, rest.length);
    return own;
  }

  /** Wrong values are wrong usage; a failure has a line, and its trace where that is asked for. */
  private static final class Failure implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
      boolean isUsage = e instanceof IllegalArgumentException;
      String message = e.getMessage() == null ? e.toString() : e.getMessage();
      command.getErr().println("bloomjoin " + command.getCommandName() + ": " + message);
      if (System.getenv("BLOOMJOIN_TRACE") != null) {
        e.printStackTrace(command.getErr());
      }
      return isUsage ? CommandLine.ExitCode.USAGE : FAILED;
    }
  }
}
