package io.bloomjoin.spark.fuzz

/** Makes a failing trial smaller as long as it fails. */
private[fuzz] final class Shrinker(runner: Runner) {
  private val maxTrials = 300

  private var trials = 0

  def shrink(finding: Finding): Finding = {
    var smallest = finding
    var next = better(smallest)
    while (next.isDefined) {
      smallest = next.get
      next = better(smallest)
    }
    smallest
  }

  private def better(finding: Finding): Option[Finding] =
    (finding.trial.smaller ++ finding.trial.withLessData)
      .takeWhile(_ => trials < maxTrials)
      .map(_.withoutUnreadCaches.withoutUnreadTables)
      .flatMap { trial =>
        trials += 1
        Finding.of(trial, runner.stock(trial), runner.pruned(trial))
          .filter(_.pruned.getClass == finding.pruned.getClass)
      }.nextOption()
}
