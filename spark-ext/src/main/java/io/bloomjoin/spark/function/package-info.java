/** SQL functions over kept filters. Start from {@link io.bloomjoin.spark.function.Functions}. */
package io.bloomjoin.spark.function;
