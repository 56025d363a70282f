package io.bloomjoin.spark;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.StoredFilter;
import java.io.IOException;
import java.util.EnumSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/** A filter as a file of any of Hadoop's file systems. */
final class FilterFile {
  private FilterFile() {}

  /** Writes beside the file and renames, so that readers see the old filter or the new one. */
  static void write(Configuration configuration, Path name, StoredFilter stored)
      throws IOException {
    Path path = qualified(configuration, name);
    FileContext files = FileContext.getFileContext(path.toUri(), configuration);
    Path temporary = new Path(path.getParent(), "." + path.getName() + "." + UUID.randomUUID());
    try {
      try (FSDataOutputStream out =
          files.create(
              temporary, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
        FilterFormat.write(stored.filter(), stored.metadata(), out);
      }
      files.rename(temporary, path, Options.Rename.OVERWRITE);
    } catch (IOException | RuntimeException e) {
      try {
        files.delete(temporary, false);
      } catch (IOException leftBehind) {
        e.addSuppressed(leftBehind);
      }
      throw e;
    }
  }

  static StoredFilter read(Configuration configuration, Path name) throws IOException {
    Path path = qualified(configuration, name);
    FileContext files = FileContext.getFileContext(path.toUri(), configuration);
    try (FSDataInputStream in = files.open(path)) {
      StoredFilter stored = FilterFormat.read(in);
      if (in.read() >= 0) {
        throw new IOException(path + ": bytes follow the filter, where nothing may follow");
      }
      return stored;
    }
  }

  private static Path qualified(Configuration configuration, Path path) throws IOException {
    return path.getFileSystem(configuration).makeQualified(path);
  }
}
