package io.bloomjoin.spark;

import io.bloomjoin.filter.FilterMetadata;
import io.bloomjoin.spark.catalyst.Scala;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.execution.datasources.v2.FileTable;

/**
 * What a query reads, and in which state: its files with their sizes and times, and the versions of
 * tables that have versions.
 */
final class SourceState {
  static final String DIGEST = "source.digest";

  /** Longer lists of paths are cut off; the digest is over all. */
  private static final int MAX_PATHS_LENGTH = 10_000;

  private final SortedSet<String> names = new TreeSet<>();
  private final SortedSet<String> entries = new TreeSet<>();
  private long files;
  private long bytes;
  private long newest;

  private SourceState() {}

  /** The state in which {@code source} reads. */
  static SourceState of(Dataset<?> source) {
    return of(source, false);
  }

  /** The state now, after a new look at the file system. */
  static SourceState now(Dataset<?> source) {
    return of(source, true);
  }

  private static SourceState of(Dataset<?> source, boolean refreshed) {
    SourceState state = new SourceState();
    LogicalPlan plan =
        ((org.apache.spark.sql.classic.Dataset<?>) source).queryExecution().analyzed();
    for (LogicalPlan leaf : Scala.<LogicalPlan>list(plan.collectLeaves())) {
      state.add(leaf, refreshed);
    }
    return state;
  }

  private void add(LogicalPlan leaf, boolean refreshed) {
    if (leaf instanceof LogicalRelation relation
        && relation.relation() instanceof HadoopFsRelation fileRelation) {
      add(fileRelation.location(), refreshed);
    } else if (leaf instanceof DataSourceV2Relation relation
        && relation.table() instanceof FileTable table) {
      add(table.fileIndex(), refreshed);
    } else if (leaf instanceof DataSourceV2Relation relation
        && relation.table().version() != null) {
      names.add(relation.table().name());
      entries.add(relation.table().name() + "\0" + relation.table().version());
    } else {
      throw new IllegalArgumentException(
          "The state of a source is known for files and for tables with versions, but not for "
              + leaf.nodeName()
              + ". Keep the time of the build yourself, and compare it with the source's.");
    }
  }

  private void add(FileIndex index, boolean refreshed) {
    if (refreshed) {
      index.refresh();
    }
    for (Path root : Scala.<Path>list(index.rootPaths())) {
      names.add(root.toString());
    }
    for (PartitionDirectory partition :
        Scala.<PartitionDirectory>list(index.listFiles(Scala.seq(), Scala.seq()))) {
      for (FileStatusWithMetadata file : Scala.<FileStatusWithMetadata>list(partition.files())) {
        add(file.fileStatus());
      }
    }
  }

  private void add(FileStatus file) {
    files++;
    bytes += file.getLen();
    newest = Math.max(newest, file.getModificationTime());
    entries.add(file.getPath() + "\0" + file.getLen() + "\0" + file.getModificationTime());
  }

  /** As properties of a filter. */
  Map<String, String> properties() {
    String paths = String.join("\n", names);
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(
        FilterMetadata.SOURCE,
        paths.length() > MAX_PATHS_LENGTH ? paths.substring(0, MAX_PATHS_LENGTH) + "…" : paths);
    properties.put(DIGEST, digest());
    if (files > 0) {
      properties.put("source.files", Long.toString(files));
      properties.put("source.bytes", Long.toString(bytes));
      properties.put("source.modified", Instant.ofEpochMilli(newest).toString());
    }
    return properties;
  }

  /** Equal for equal states only. */
  String digest() {
    try {
      byte[] all =
          entries.stream().collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all));
    } catch (NoSuchAlgorithmException impossible) { // every Java platform has it
      throw new IllegalStateException(impossible);
    }
  }
}
