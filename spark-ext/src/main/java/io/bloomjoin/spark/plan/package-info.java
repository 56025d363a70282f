/** The physical operator: {@link io.bloomjoin.spark.plan.BloomPruneExec}. */
package io.bloomjoin.spark.plan;
