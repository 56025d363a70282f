package io.bloomjoin.hadoop;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The real file system, on which the disk is full after the first bytes of each file. */
public final class FailingFileSystem extends FilterFileSystem {

  static final String MESSAGE = "The disk is full";

  @Override
  public void initialize(URI name, Configuration configuration) throws IOException {
    Configuration real = new Configuration(configuration);
    real.unset("fs." + name.getScheme() + ".impl");
    fs = FileSystem.newInstance(name, real);
    swapScheme = null;
    setConf(configuration);
  }

  @Override
  public URI getUri() {
    return fs.getUri();
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    FSDataOutputStream out =
        fs.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
    return new FSDataOutputStream(out, null) {
      @Override
      public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length / 2);
        out.flush();
        throw new IOException(MESSAGE);
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }
}
