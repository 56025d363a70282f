package io.bloomjoin.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A million damaged inputs to the reader, in a virtual machine of 64 MiB. {@code
 * -Dbloomjoin.fuzz.inputs} and {@code -Dbloomjoin.fuzz.seed} ask for more or for others.
 */
class ReaderFuzzTest {

  private static final int INPUTS = Integer.getInteger("bloomjoin.fuzz.inputs", 1_000_000);
  private static final long SEED = Long.getLong("bloomjoin.fuzz.seed", 1);

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void everyInput_isAFilter_orRefusedWithAReason() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                ReaderFuzz.class.getName(),
                String.valueOf(INPUTS),
                String.valueOf(SEED))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    Matcher counts =
        Pattern.compile("(\\d+) inputs: (\\d+) filters, (\\d+) refused").matcher(output);
    assertTrue(counts.find(), output);
    assertEquals(INPUTS, Integer.parseInt(counts.group(1)));
    // Both ends of the reader were reached.
    assertTrue(Integer.parseInt(counts.group(2)) > INPUTS / 100, output);
    assertTrue(Integer.parseInt(counts.group(3)) > INPUTS / 2, output);
  }
}
