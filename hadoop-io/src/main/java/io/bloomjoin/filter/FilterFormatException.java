package io.bloomjoin.filter;

import java.io.IOException;

/** Bytes that are no filter of a known format; the message tells the field and what is wrong. */
public final class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  public FilterFormatException(String message) {
    super(message);
  }
}
