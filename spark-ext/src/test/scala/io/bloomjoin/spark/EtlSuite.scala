package io.bloomjoin.spark

class EtlSuite extends PruneSuite {
  private lazy val hdfs = new MiniHdfs(directory.resolve("hdfs"))

  override protected def sessionConf: Map[String, String] =
    Map("spark.hadoop.fs.defaultFS" -> hdfs.uri)

  override protected def afterAll(): Unit =
    try super.afterAll()
    finally hdfs.stop()

  test("x") {
    hdfs.write("/a/part-1", Seq("é\t1", "\t2"))
    assert(hdfs.lines("/a") == Seq("\t2", "é\t1"))
    assert(spark.sql("select * from text.`/a`").count() == 2)
  }
}
