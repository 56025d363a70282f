"""The extension at work, on a classic and on a Connect session."""

from pyspark.sql import SparkSession

import bloomjoin

PRUNED = """
    SELECT count(*) FROM range(0, 2000000, 1, 2) large
    JOIN (SELECT DISTINCT id * 1000 AS id FROM range(2000) WHERE id % 100 = 7) small
    USING (id)"""


def test_a_join_is_pruned_and_its_decisions_are_told(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    try:
        assert spark.sql(PRUNED).first()[0] == 20
        told = bloomjoin.decisions(spark).where("keys LIKE '%id%'").collect()
    finally:
        spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
    pruned = [row for row in told if row.decision == "pruned"]
    assert len(told) == 2 and len(pruned) == 1, told
    assert pruned[0].reason == "PAYS" and pruned[0].rows_pruned > 1_900_000
