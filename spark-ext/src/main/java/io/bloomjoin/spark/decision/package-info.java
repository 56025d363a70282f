/**
 * Why each join side was pruned or not. The rule hangs a {@link
 * io.bloomjoin.spark.decision.JoinVerdict} on every join that it looks at; {@link
 * io.bloomjoin.spark.decision.DecisionReader} reads them off a plan, and {@link
 * io.bloomjoin.spark.decision.DecisionLog} keeps those of recent queries.
 */
package io.bloomjoin.spark.decision;
