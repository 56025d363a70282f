package io.bloomjoin.hadoop;

import io.bloomjoin.filter.FilterFormat;
import io.bloomjoin.filter.FilterFormatException;
import io.bloomjoin.filter.StoredFilter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/**
 * Filters as files of any Hadoop {@code FileSystem}: one filter a file, in the bytes of {@link
 * FilterFormat}.
 */
public final class FilterFiles {

  private FilterFiles() {}

  /**
   * Saves a filter at a path, in place of a file that may be there.
   *
   * <p>The bytes go to a hidden file in the same folder first, which takes the name of the path
   * when all are written. A reader finds the old filter or the new one, and a writer that is
   * interrupted leaves the old one. Object stores without renames are as safe as their {@code
   * FileSystem} makes a rename.
   *
   * @throws IOException if the file cannot be written; what was at the path is still there
   */
  public static void save(StoredFilter filter, Path path, Configuration configuration)
      throws IOException {
    FileSystem files = path.getFileSystem(configuration);
    Path qualified = files.makeQualified(path);
    Path parent = qualified.getParent();
    if (parent == null) {
      throw new IOException("A filter cannot be saved at the root, " + qualified);
    }
    Path temporary = new Path(parent, "." + qualified.getName() + "." + UUID.randomUUID());
    try {
      try (OutputStream out = files.create(temporary, false)) {
        FilterFormat.write(filter.filter(), filter.metadata(), out);
      }
      replace(temporary, qualified, configuration);
    } finally {
      files.delete(temporary, false);
    }
  }

  /** As {@link #save(StoredFilter, Path, Configuration)}. */
  public static void save(StoredFilter filter, String path, Configuration configuration)
      throws IOException {
    save(filter, new Path(path), configuration);
  }

  /**
   * Loads the filter of a file.
   *
   * @throws java.io.FileNotFoundException if there is no file at the path
   * @throws FilterFormatException if the file is not one whole filter; the message has the path
   */
  public static StoredFilter load(Path path, Configuration configuration) throws IOException {
    FileSystem files = path.getFileSystem(configuration);
    try (InputStream in = new BufferedInputStream(files.open(path))) {
      StoredFilter stored = FilterFormat.read(in);
      if (in.read() >= 0) {
        throw new FilterFormatException(
            "Bytes follow the filter's checksum, where nothing may follow");
      }
      return stored;
    } catch (FilterFormatException e) {
      throw new FilterFormatException(path + " is no filter. " + e.getMessage());
    }
  }

  /** As {@link #load(Path, Configuration)}. */
  public static StoredFilter load(String path, Configuration configuration) throws IOException {
    return load(new Path(path), configuration);
  }

  /** Renames a file over what is at the path, in one step. */
  static void replace(Path from, Path to, Configuration configuration) throws IOException {
    FileContext files;
    try {
      files = FileContext.getFileContext(to.toUri(), configuration);
    } catch (UnsupportedFileSystemException e) {
      replaceInTwoSteps(from, to, configuration);
      return;
    }
    files.rename(from, to, Options.Rename.OVERWRITE);
  }

  /** For file systems that only have the older interface, without a rename that overwrites. */
  private static void replaceInTwoSteps(Path from, Path to, Configuration configuration)
      throws IOException {
    FileSystem files = to.getFileSystem(configuration);
    if (files.getFileStatus(from).isFile() && files.exists(to) && !files.delete(to, false)) {
      throw new IOException("Cannot delete the old file at " + to + " to put a new one there");
    }
    if (!files.rename(from, to)) {
      throw new IOException("Cannot rename " + from + " to " + to);
    }
  }
}
