package io.bloomjoin.spark.fuzz

import scala.util.Random

/** Random choices that are the same for the same seed. */
private[fuzz] final class Choices(seed: Long) {
  private val random = new Random(seed)
  private var names = 0

  def chance(share: Double): Boolean = random.nextDouble() < share

  /** 0 until `bound`. */
  def number(bound: Int): Int = random.nextInt(bound)

  def between(from: Int, to: Int): Int = from + random.nextInt(to - from + 1)

  def of[T](choices: Seq[T]): T = choices(random.nextInt(choices.size))

  def pick[T](choices: T*): T = of(choices)

  /** One of the values, each as often as its weight says. */
  def weighted[T](choices: (Int, () => T)*): T = {
    var left = random.nextInt(choices.map(_._1).sum)
    choices.find { case (weight, _) =>
      left -= weight
      left < 0
    }.get._2()
  }

  def some[T](choices: Seq[T], count: Int): Seq[T] = random.shuffle(choices).take(count)

  /** A name that no other relation of the query has. */
  def name(): String = {
    names += 1
    s"q$names"
  }
}
