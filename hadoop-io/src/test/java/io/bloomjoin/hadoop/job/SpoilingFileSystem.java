package io.bloomjoin.hadoop.job;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The local file system, on which copies of one file cannot be read. */
public final class SpoilingFileSystem extends LocalFileSystem {

  static final String PATH = "test.spoiled";

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    Path original = new Path(getConf().get(PATH));
    boolean isCopy =
        path.getName().equals(original.getName())
            && !path.toUri().getPath().equals(original.toUri().getPath());
    if (isCopy) {
      throw new IOException("The copy is spoiled");
    }
    return super.open(path, bufferSize);
  }
}
