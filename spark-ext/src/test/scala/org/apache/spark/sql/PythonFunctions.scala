package org.apache.spark.sql

import org.apache.spark.api.python.{PythonEvalType, SimplePythonFunction}
import org.apache.spark.sql.execution.python.UserDefinedPythonFunction
import org.apache.spark.sql.types.LongType

/** Python functions that can be planned; to run one takes Python. */
object PythonFunctions {
  def plannable(name: String): UserDefinedPythonFunction = UserDefinedPythonFunction(
    name,
    SimplePythonFunction(
      command = Seq.empty[Byte],
      envVars = java.util.Map.of(),
      pythonIncludes = java.util.List.of(),
      pythonExec = "python3",
      pythonVer = "3",
      broadcastVars = java.util.List.of(),
      accumulator = null
    ),
    LongType,
    PythonEvalType.SQL_BATCHED_UDF,
    udfDeterministic = true
  )
}
