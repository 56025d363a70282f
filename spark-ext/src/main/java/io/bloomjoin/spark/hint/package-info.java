/** The hints {@code BLOOM_JOIN} and {@code NO_BLOOM_JOIN}, from the query's text to the plan. */
package io.bloomjoin.spark.hint;
