/**
 * Filters that other programs wrote, to be asked here: for those who move over.
 *
 * <p>Start from {@link io.bloomjoin.convert.SparkSketchFilter} or {@link
 * io.bloomjoin.convert.HadoopBloomFilter}.
 */
package io.bloomjoin.convert;
