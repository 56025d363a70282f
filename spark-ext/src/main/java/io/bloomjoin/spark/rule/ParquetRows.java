package io.bloomjoin.spark.rule;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a Parquet table is laid out, from the footer of its largest file. The files of a table are
 * alike in this, and one footer is read in a moment; it is remembered by path and time.
 */
final class ParquetRows {
  private static final Logger LOG = LoggerFactory.getLogger(ParquetRows.class);
  private static final int MAX_REMEMBERED = 1000;

  private record FileVersion(Path path, long modified) {}

  private record Layout(double rowsPerByte, double rowGroupBytes) {
    /** Of a file whose footer cannot be read. */
    static final Layout UNKNOWN = new Layout(0, 1);
  }

  private static final Map<FileVersion, Layout> REMEMBERED =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<FileVersion, Layout> eldest) {
              return size() > MAX_REMEMBERED;
            }
          });

  private ParquetRows() {}

  /** Rows per byte, or 0 if no footer can be read. */
  static double perByte(List<FileStatus> files, HadoopFsRelation relation) {
    return layout(files, relation).rowsPerByte();
  }

  /** The bytes of a row group, at least 1; 1 if no footer can be read. */
  static double rowGroupBytes(List<FileStatus> files, HadoopFsRelation relation) {
    return layout(files, relation).rowGroupBytes();
  }

  private static Layout layout(List<FileStatus> files, HadoopFsRelation relation) {
    FileStatus file = null;
    for (FileStatus candidate : files) {
      if (file == null || candidate.getLen() > file.getLen()) {
        file = candidate;
      }
    }
    if (file == null) {
      return Layout.UNKNOWN;
    }
    FileVersion version = new FileVersion(file.getPath(), file.getModificationTime());
    Layout known = REMEMBERED.get(version);
    if (known == null) {
      known = read(file, relation);
      REMEMBERED.put(version, known);
    }
    return known;
  }

  private static Layout read(FileStatus file, HadoopFsRelation relation) {
    Configuration conf =
        relation.sparkSession().sessionState().newHadoopConfWithOptions(relation.options());
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromStatus(file, conf))) {
      double bytes = file.getLen();
      int rowGroups = Math.max(1, reader.getRowGroups().size());
      return new Layout(reader.getRecordCount() / bytes, Math.max(1, bytes / rowGroups));
    } catch (IOException | RuntimeException unreadable) {
      LOG.debug("No row count from the footer of {}", file.getPath(), unreadable);
      return Layout.UNKNOWN;
    }
  }
}
