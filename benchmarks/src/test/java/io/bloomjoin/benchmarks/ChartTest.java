package io.bloomjoin.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChartTest {
  private static final String ORIGIN =
      "# command: bin/bench tpch --sf 2\n# settings: Spark, AQE on\n";
  private static final String STOCK_AND_FORCED_OPEN =
      "q3,stock,3307,2,9,8,0,0,2,true\nq3,forced_open,3329,2,9,8,0,0,2,true\n";
  private static final String BLOOMJOIN = "q3,bloomjoin,2345,2,9,3,0,0,3,true\n";

  @TempDir private Path folder;

  @Test
  void write_drawsPng() throws IOException {
    MedianTimes times = read(ORIGIN + header() + STOCK_AND_FORCED_OPEN + BLOOMJOIN);
    assertEquals("tpch: Spark, AQE on", times.title());
    assertEquals(2345L, times.millis().get("q3").get(Mode.BLOOMJOIN));
    Path png = folder.resolve("new/chart.png");
    new Chart(times).write(png);
    BufferedImage image = ImageIO.read(png.toFile());
    assertEquals(Chart.WIDTH_IN_PIXELS, image.getWidth());
    assertEquals(Chart.HEIGHT_IN_PIXELS, image.getHeight());
    assertTrue(Files.size(png) < 100 << 10);
  }

  @Test
  void read_fewerModes_areThoseOfTheFile() throws IOException {
    assertEquals(
        Set.of(Mode.STOCK, Mode.FORCED_OPEN), read(header() + STOCK_AND_FORCED_OPEN).modes());
  }

  @Test
  void write_nameOfResults_isRefused() throws IOException {
    Chart chart = new Chart(read(header() + STOCK_AND_FORCED_OPEN + BLOOMJOIN));
    Path csv = folder.resolve("suite.csv");
    assertThrows(IllegalArgumentException.class, () -> chart.write(csv));
  }

  @Test
  void read_malformedFile_saysWhatAndWhere() {
    assertRefused("columns must be", "query,median_ms\n");
    assertRefused("has no row.", ORIGIN + header());
    assertRefused(
        "no row of q4 for bloomjoin",
        header() + STOCK_AND_FORCED_OPEN + BLOOMJOIN + STOCK_AND_FORCED_OPEN.replace("q3", "q4"));
    assertRefused("line 2: There must be 10 cells, but are 3", header() + "q3,stock,3307\n");
    assertRefused("line 4: There is no mode magic", header() + STOCK_AND_FORCED_OPEN + magic());
    assertRefused("line 3: There is a second row of q3", header() + BLOOMJOIN + BLOOMJOIN);
    assertRefused("line 2: median_ms must be", header() + BLOOMJOIN.replace("2345", "-1"));
  }

  @Test
  void read_noFile_saysHowToWriteOne() {
    Path missing = folder.resolve("missing.csv");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> MedianTimes.read(missing));
    assertTrue(e.getMessage().contains("bin/bench tpch"), e.getMessage());
  }

  private void assertRefused(String message, String text) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> read(text));
    assertTrue(e.getMessage().contains("suite.csv"), e.getMessage());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  private MedianTimes read(String text) throws IOException {
    return MedianTimes.read(Files.writeString(folder.resolve("suite.csv"), text));
  }

  private static String header() {
    return ResultFile.COLUMNS + "\n";
  }

  private static String magic() {
    return BLOOMJOIN.replace("bloomjoin", "magic");
  }
}
