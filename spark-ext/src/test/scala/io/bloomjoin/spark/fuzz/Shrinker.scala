package io.bloomjoin.spark.fuzz

import scala.collection.mutable

/** Makes a failing trial smaller as long as it fails in the same way. */
private[fuzz] final class Shrinker(runner: Runner) {

  /** A trial takes seconds where the query is large. */
  private val maxTrials = 200

  private val tried = mutable.Set.empty[String]

  def shrink(finding: Finding): Finding = {
    var smallest = finding
    var next = better(smallest)
    while (next.isDefined) {
      smallest = next.get
      next = better(smallest)
    }
    smallest
  }

  private def better(finding: Finding): Option[Finding] = finding.trial.smaller
    .filter(trial => tried.size < maxTrials && tried.add(Finding.script(trial)))
    .flatMap(trial => Finding.of(trial, runner.stock(trial), runner.pruned(trial)))
    .find(_.pruned.getClass == finding.pruned.getClass)
}
