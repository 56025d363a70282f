package io.bloomjoin.benchmarks;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;

/** How the commands of bin/ start and end. */
final class Program {
  static final int ANSWERS_DIFFER = 1;

  private Program() {}

  /** Runs a picocli command and ends the process with its exit code. */
  static void run(Object command, String[] args) {
    CommandLine commandLine = new CommandLine(command);
    commandLine.setExecutionExceptionHandler(
        (exception, failed, parsed) -> {
          PrintWriter err = failed.getErr();
          if (exception instanceof IllegalArgumentException) {
            err.println(exception.getMessage());
            return failed.getCommandSpec().exitCodeOnInvalidInput();
          }
          exception.printStackTrace(err);
          return failed.getCommandSpec().exitCodeOnExecutionException();
        });
    System.exit(commandLine.execute(args));
  }

  /** Not zero if a mode gave another answer than stock Spark. */
  static int exitCode(List<Comparison> comparisons) {
    return comparisons.stream().allMatch(Comparison::answersEqual)
        ? CommandLine.ExitCode.OK
        : ANSWERS_DIFFER;
  }
}
