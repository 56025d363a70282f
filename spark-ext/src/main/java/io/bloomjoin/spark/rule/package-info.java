/**
 * Deciding which joins to prune, and where. Start from {@link io.bloomjoin.spark.rule.PruneJoins};
 * it reads joins through {@link io.bloomjoin.spark.rule.JoinShape}, weighs them by {@link
 * io.bloomjoin.spark.rule.Estimator}, and lets {@link io.bloomjoin.spark.rule.KeyPaths} say how far
 * down a key can be followed.
 */
package io.bloomjoin.spark.rule;
