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
 * Rows per byte of a Parquet table, from the footer of one of its files. The files of a table are
 * alike in this, and one footer is read in a moment; it is remembered by path and time.
 */
final class ParquetRows {
  private static final Logger LOG = LoggerFactory.getLogger(ParquetRows.class);
  private static final int MAX_REMEMBERED = 1000;

  private record FileVersion(Path path, long modified) {}

  private static final Map<FileVersion, Double> REMEMBERED =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<FileVersion, Double> eldest) {
              return size() > MAX_REMEMBERED;
            }
          });

  private ParquetRows() {}

  /** Rows per byte, or 0 if no footer can be read. */
  static double perByte(List<FileStatus> files, HadoopFsRelation relation) {
    FileStatus file = null;
    for (FileStatus candidate : files) {
      if (file == null || candidate.getLen() > file.getLen()) {
        file = candidate;
      }
    }
    if (file == null) {
      return 0;
    }
    FileVersion version = new FileVersion(file.getPath(), file.getModificationTime());
    Double known = REMEMBERED.get(version);
    if (known == null) {
      known = read(file, relation);
      REMEMBERED.put(version, known);
    }
    return known;
  }

  private static double read(FileStatus file, HadoopFsRelation relation) {
    Configuration conf =
        relation.sparkSession().sessionState().newHadoopConfWithOptions(relation.options());
    try (ParquetFileReader reader =
        ParquetFileReader.open(HadoopInputFile.fromStatus(file, conf))) {
      return (double) reader.getRecordCount() / file.getLen();
    } catch (IOException | RuntimeException unreadable) {
      LOG.debug("No row count from the footer of {}", file.getPath(), unreadable);
      return 0;
    }
  }
}
