package io.bloomjoin.hadoop;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Hadoop's data inputs and outputs as streams, without a buffer. */
final class DataStreams {

  private DataStreams() {}

  static final class Out extends OutputStream {
    private final DataOutput out;

    Out(DataOutput out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }
  }

  /** A read of several bytes gives all of them, or tells the end if they are not there. */
  static final class In extends InputStream {
    private final DataInput in;

    In(DataInput in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      try {
        return in.readUnsignedByte();
      } catch (EOFException end) {
        return -1;
      }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        in.readFully(bytes, offset, length);
        return length;
      } catch (EOFException end) {
        return -1;
      }
    }
  }
}
