package io.bloomjoin.spark

import scala.collection.mutable

import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property

/** Listens to the warnings of the whole process. */
class TestLog {
  private val texts = mutable.Buffer.empty[String]

  private val appender =
    new AbstractAppender("test-log", null, null, true, Property.EMPTY_ARRAY) {
      override def append(event: LogEvent): Unit = texts.synchronized {
        if (event.getLevel.isMoreSpecificThan(Level.WARN))
          texts += event.getMessage.getFormattedMessage
      }
    }

  def around(body: => Unit): Unit = {
    val root = LogManager.getRootLogger.asInstanceOf[Logger]
    appender.start()
    root.addAppender(appender)
    try body
    finally root.removeAppender(appender)
  }

  def warnings: Seq[String] = texts.synchronized(texts.toList)
}
