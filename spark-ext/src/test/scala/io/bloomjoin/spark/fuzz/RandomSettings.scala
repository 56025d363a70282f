package io.bloomjoin.spark.fuzz

/** Random settings of a session: how Spark plans and runs, and extremes of Bloomjoin's own. */
private[fuzz] object RandomSettings {
  type Settings = Map[String, String]

  def next(choices: Choices): Settings = {
    import choices._
    def rarely(settings: (String, Seq[String])*): Settings = settings.collect {
      case (key, values) if chance(0.15) => key -> of(values)
    }.toMap
    val onOff = Seq("true", "false")

    planning(choices) ++ code(choices) ++ own(choices) ++
      (if (chance(0.2)) sparksFilter else Map.empty) ++
      (if (chance(0.15)) skewed else Map.empty) ++
      rarely(
        "spark.sql.join.preferSortMergeJoin" -> Seq("false"),
        "spark.sql.adaptive.coalescePartitions.enabled" -> Seq("false"),
        "spark.sql.adaptive.localShuffleReader.enabled" -> Seq("false"),
        "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold" -> Seq("1m"),
        "spark.sql.sources.useV1SourceList" -> Seq(""),
        "spark.sql.sources.bucketing.enabled" -> onOff,
        "spark.sql.optimizer.dynamicPartitionPruning.enabled" -> onOff,
        "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly" -> Seq("false"),
        "spark.sql.constraintPropagation.enabled" -> Seq("false"),
        "spark.sql.cbo.enabled" -> Seq("true"),
        "spark.sql.requireAllClusterKeysForCoPartition" -> Seq("false"),
        "spark.sql.parquet.enableVectorizedReader" -> Seq("false"),
        "spark.sql.parquet.columnarReaderBatchSize" -> Seq("1", "7", "100"),
        "spark.sql.inMemoryColumnarStorage.batchSize" -> Seq("3", "100"),
        "spark.sql.inMemoryColumnarStorage.enableVectorizedReader" -> Seq("false"),
        "spark.sql.columnVector.offheap.enabled" -> Seq("true"),
        "spark.sql.files.maxPartitionBytes" -> Seq("5000"),
        "spark.sql.files.ignoreMissingFiles" -> Seq("true"),
        "spark.sql.session.timeZone" -> Seq("America/Los_Angeles", "Asia/Kolkata"),
        "spark.sql.sortMergeJoinExec.buffer.in.memory.threshold" -> Seq("2"),
        "spark.sql.exchange.reuse" -> Seq("true", "true", "false"),
        "spark.sql.subexpressionElimination.enabled" -> Seq("false"),
        "spark.sql.unionOutputPartitioning" -> onOff
      )
  }

  private def planning(choices: Choices): Settings = {
    import choices._
    Map(
      "spark.sql.adaptive.enabled" -> s"${chance(0.65)}",
      "spark.sql.shuffle.partitions" -> pick("1", "2", "3", "5"),
      "spark.sql.autoBroadcastJoinThreshold" ->
        pick("-1", "-1", "-1", "-1", "-1", "-1", "-1", "2k", "20k", "10m"),
      "spark.sql.ansi.enabled" -> s"${chance(0.7)}"
    )
  }

  private def code(choices: Choices): Settings = {
    import choices._
    // Code that does not compile fails the query.
    val generated = Map(
      "spark.sql.codegen.wholeStage" -> "true",
      "spark.sql.codegen.fallback" -> "false",
      "spark.sql.codegen.factoryMode" -> "CODEGEN_ONLY"
    )
    pick(
      generated,
      generated,
      generated + ("spark.sql.codegen.maxFields" -> "3"),
      generated + ("spark.sql.codegen.hugeMethodLimit" -> "100"),
      generated + ("spark.sql.codegen.methodSplitThreshold" -> "50"),
      generated + ("spark.sql.codegen.wholeStage" -> "false"),
      Map(
        "spark.sql.codegen.wholeStage" -> "false",
        "spark.sql.codegen.factoryMode" -> "NO_CODEGEN"
      )
    )
  }

  /** Bloomjoin prunes whenever it may. */
  private def own(choices: Choices): Settings = {
    import choices._
    Map("spark.bloomjoin.minPrunedRows" -> "0", "spark.bloomjoin.maxSelectivity" -> "1") ++
      Seq(
        "spark.bloomjoin.fpp" -> Seq("0.999", "0.5", "0.000000001"),
        "spark.bloomjoin.maxFilterBytes" -> Seq("32", "1k"),
        "spark.bloomjoin.maxPassRatio" -> Seq("0", "0.01", "1"),
        "spark.bloomjoin.maxFiltersPerScan" -> Seq("1", "100"),
        "spark.bloomjoin.maxInListKeys" -> Seq("0", "1", "3", "30", "10000")
      ).collect { case (key, values) if chance(0.25) => key -> of(values) }
  }

  /** Spark's own runtime filter, wherever it is possible. */
  private val sparksFilter: Settings = Map(
    "spark.sql.optimizer.runtime.bloomFilter.enabled" -> "true",
    "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold" -> "0",
    "spark.sql.optimizer.runtime.bloomFilter.creationSideThreshold" -> "1g"
  )

  /** Partitions of a kilobyte are split. */
  private val skewed: Settings = Map(
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> "0",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "1k",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1k",
    "spark.sql.adaptive.forceOptimizeSkewedJoin" -> "true"
  )
}
