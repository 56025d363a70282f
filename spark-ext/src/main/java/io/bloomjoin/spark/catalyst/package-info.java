/**
 * The bridge between Java and Catalyst, below every other package: collections, expression
 * rewriting, and which keys can be hashed. Start from {@link io.bloomjoin.spark.catalyst.JoinKeys}.
 */
package io.bloomjoin.spark.catalyst;
