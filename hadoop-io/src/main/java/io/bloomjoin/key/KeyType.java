package io.bloomjoin.key;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The type of a key column, by the names of Spark SQL; only equal types have comparable keys.
 *
 * @param precision the digits of a decimal, from 1 to 38; 0 for other types
 * @param scale the digits of a decimal behind the point, from 0 to {@code precision}; 0 for others
 */
public record KeyType(Kind kind, int precision, int scale) {

  /** The types without their parameters. */
  public enum Kind {
    BOOLEAN,
    TINYINT,
    SMALLINT,
    INT,
    BIGINT,
    FLOAT,
    DOUBLE,
    DATE,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    STRING,
    BINARY,
    DECIMAL
  }

  public static final KeyType STRING = of(Kind.STRING);

  private static final int MAX_DIGITS = 38;

  /** A second has so many. */
  private static final long MICROS = 1_000_000;

  private static final Pattern DECIMAL = Pattern.compile("decimal\\((\\d{1,2}),(\\d{1,2})\\)");

  /**
   * @throws IllegalArgumentException if the digits do not fit the type
   */
  public KeyType {
    boolean right =
        kind == Kind.DECIMAL
            ? precision >= 1 && precision <= MAX_DIGITS && scale >= 0 && scale <= precision
            : precision == 0 && scale == 0;
    if (!right) {
      throw new IllegalArgumentException(
          "There is no type " + kind + "(" + precision + ", " + scale + ")");
    }
  }

  /** The type of that kind, which is not a decimal. */
  public static KeyType of(Kind kind) {
    return new KeyType(kind, 0, 0);
  }

  /** The type of decimals with so many digits, and so many of them behind the point. */
  public static KeyType decimal(int precision, int scale) {
    return new KeyType(Kind.DECIMAL, precision, scale);
  }

  /**
   * The type of that name, for instance {@code bigint} or {@code decimal(10,2)}.
   *
   * @throws IllegalArgumentException if there is no such type
   */
  public static KeyType parse(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT).replace(" ", "");
    Matcher decimal = DECIMAL.matcher(lower);
    if (decimal.matches()) {
      return decimal(Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
    }
    for (Kind kind : Kind.values()) {
      if (kind != Kind.DECIMAL && kind.name().toLowerCase(Locale.ROOT).equals(lower)) {
        return of(kind);
      }
    }
    throw new IllegalArgumentException(
        "There is no key type \"" + name + "\"; the types are " + String.join(", ", names()));
  }

  private static List<String> names() {
    return Arrays.stream(Kind.values())
        .map(kind -> kind == Kind.DECIMAL ? "decimal(precision,scale)" : of(kind).toString())
        .collect(Collectors.toList());
  }

  /**
   * Puts a value that is written as text, in UTF-8.
   *
   * <p>A string is its bytes as they are, the empty one too. Numbers, dates (2026-01-31) and times
   * (2026-01-31T12:00:00 or with a blank for the T; a {@code timestamp} with Z or an offset) may
   * have blanks around them, and are null if there is nothing else.
   *
   * @throws IllegalArgumentException if the text is no value of this type
   */
  public void putText(byte[] bytes, int offset, int length, KeyBuffer key) {
    if (kind == Kind.STRING) {
      key.putBytes(bytes, offset, length);
      return;
    }
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8).strip();
    if (text.isEmpty()) {
      key.putNull();
      return;
    }
    try {
      putText(text, key);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no " + this, e);
    }
  }

  private void putText(String text, KeyBuffer key) {
    switch (kind) {
      case BOOLEAN -> key.putInt(parseBoolean(text) ? 1 : 0);
      case TINYINT -> key.putInt(Byte.parseByte(text));
      case SMALLINT -> key.putInt(Short.parseShort(text));
      case INT -> key.putInt(Integer.parseInt(text));
      case BIGINT -> key.putLong(Long.parseLong(text));
      case FLOAT -> key.putFloat(Float.parseFloat(text));
      case DOUBLE -> key.putDouble(Double.parseDouble(text));
      case DATE -> key.putInt(Math.toIntExact(LocalDate.parse(text).toEpochDay()));
      case TIMESTAMP -> key.putLong(micros(OffsetDateTime.parse(withT(text)).toInstant()));
      case TIMESTAMP_NTZ ->
          key.putLong(micros(LocalDateTime.parse(withT(text)).toInstant(ZoneOffset.UTC)));
      case DECIMAL -> key.putDecimal(new BigDecimal(text), precision, scale);
      case STRING, BINARY ->
          throw new IllegalArgumentException("Binary keys cannot be written as text");
    }
  }

  private static boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("Neither true nor false");
    };
  }

  private static String withT(String time) {
    return time.replace(' ', 'T');
  }

  /** Digits behind the sixth are dropped, as Spark does. */
  private static long micros(Instant time) {
    long seconds = time.getEpochSecond();
    long micros = time.getNano() / 1000;
    // The earliest time begins in a second whose own beginning no long can tell.
    return seconds < 0
        ? Math.addExact(Math.multiplyExact(seconds + 1, MICROS), micros - MICROS)
        : Math.addExact(Math.multiplyExact(seconds, MICROS), micros);
  }

  /** The name, as {@link #parse} takes it and filters are labelled with. */
  @Override
  public String toString() {
    return kind == Kind.DECIMAL
        ? "decimal(" + precision + "," + scale + ")"
        : kind.name().toLowerCase(Locale.ROOT);
  }
}
