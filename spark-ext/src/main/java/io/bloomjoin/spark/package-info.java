/** The Spark extension; start from {@link io.bloomjoin.spark.BloomJoinExtensions}. */
package io.bloomjoin.spark;
