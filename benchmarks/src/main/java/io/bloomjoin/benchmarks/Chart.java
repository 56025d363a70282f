package io.bloomjoin.benchmarks;

import java.awt.Color;
import java.awt.Font;
import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Median times as a picture: a group of bars per query, a bar per mode. Needs no display. */
final class Chart {
  static final int WIDTH_IN_PIXELS = 1400;
  static final int HEIGHT_IN_PIXELS = 560;

  private final MedianTimes times;

  Chart(MedianTimes times) {
    this.times = times;
  }

  /**
   * Replaces the file.
   *
   * @param png must end in .png, lest a slip replaces the results
   * @throws IllegalStateException if this machine has no fonts
   */
  void write(Path png) throws IOException {
    if (!png.toString().endsWith(".png")) {
      throw new IllegalArgumentException("The chart's file must end in .png, but is " + png + ".");
    }
    System.setProperty("java.awt.headless", "true");
    checkFonts();
    BufferedImage image = BitmapEncoder.getBufferedImage(draw());
    File file = png.toAbsolutePath().toFile();
    Files.createDirectories(file.toPath().getParent());
    if (!ImageIO.write(image, "png", file)) {
      throw new IOException("This Java cannot write PNG: " + png);
    }
  }

  /** Without fonts Java fails in the midst of drawing, with errors that do not say so. */
  private static void checkFonts() {
    Throwable cause = null;
    try {
      if (GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames().length
          > 0) {
        return;
      }
    } catch (RuntimeException | InternalError | LinkageError e) {
      cause = e;
    }
    throw new IllegalStateException(
        "Cannot draw a chart: Java finds no fonts on this machine. Install some, as with "
            + "apt-get install fontconfig fonts-dejavu-core.",
        cause);
  }

  private CategoryChart draw() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH_IN_PIXELS)
            .height(HEIGHT_IN_PIXELS)
            .title(times.title())
            .yAxisTitle("median time (s)")
            .build();
    style(chart.getStyler());
    chart.getStyler().setYAxisMax(1.05 * Math.max(1, slowestMillis()) / 1e3);
    List<String> queries = List.copyOf(times.millis().keySet());
    for (Mode mode : times.modes()) {
      List<Double> seconds =
          times.millis().values().stream().map(byMode -> byMode.get(mode) / 1e3).toList();
      chart.addSeries(name(mode), queries, seconds).setFillColor(color(mode));
    }
    return chart;
  }

  private long slowestMillis() {
    return times.millis().values().stream()
        .flatMap(byMode -> byMode.values().stream())
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  private static void style(CategoryStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setPlotGridLinesColor(new Color(0xD0D0D0));
    styler.setYAxisMin(0.0);
    styler.setAvailableSpaceFill(0.75);
    styler.setPlotContentSize(0.98);
    // Inside it would hide the tops of bars.
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendLayout(LegendLayout.Horizontal);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
  }

  private static String name(Mode mode) {
    return switch (mode) {
      case STOCK -> "stock Spark";
      case FORCED_OPEN -> "forced open";
      case BLOOMJOIN -> "Bloomjoin";
      case STOCK_AGAIN -> "stock Spark again";
    };
  }

  /** Of the palette of Okabe and Ito, safe for the colour-blind; far apart in grey, too. */
  private static Color color(Mode mode) {
    return switch (mode) {
      case STOCK -> new Color(0x333333);
      case FORCED_OPEN -> new Color(0xE69F00);
      case BLOOMJOIN -> new Color(0x0072B2);
      case STOCK_AGAIN -> new Color(0x999999);
    };
  }
}
