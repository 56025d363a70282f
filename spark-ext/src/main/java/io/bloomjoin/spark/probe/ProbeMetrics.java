package io.bloomjoin.spark.probe;

import java.io.Serializable;
import org.apache.spark.sql.execution.metric.SQLMetric;

/**
 * The metrics that tasks count.
 *
 * @param rowsTested rows whose key was asked for, those with a null key among them
 * @param rowsPruned rows that cannot match and were dropped
 * @param unfilteredTasks tasks that had no filter and passed every row
 */
public record ProbeMetrics(SQLMetric rowsTested, SQLMetric rowsPruned, SQLMetric unfilteredTasks)
    implements Serializable {}
