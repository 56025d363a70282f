package io.bloomjoin.spark.catalyst;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import scala.Function0;
import scala.Function1;
import scala.PartialFunction;
import scala.collection.immutable.Seq;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/** Conversions to and from Scala's collections and functions; the only place that makes them. */
public final class Scala {
  private Scala() {}

  /** A read-only view of {@code seq}. */
  public static <T> List<T> list(scala.collection.Seq<? extends T> seq) {
    @SuppressWarnings("unchecked") // a read-only view of a covariant sequence
    scala.collection.Seq<T> covariant = (scala.collection.Seq<T>) seq;
    return CollectionConverters.asJava(covariant);
  }

  /** An immutable copy of {@code list}. */
  public static <T> Seq<T> seq(List<? extends T> list) {
    @SuppressWarnings("unchecked") // the copy is immutable, so it may be covariant
    List<T> covariant = (List<T>) list;
    return CollectionConverters.asScala(covariant).toList();
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // List.of is safe too
  public static <T> Seq<T> seq(T... elements) {
    return seq(List.of(elements));
  }

  /** An immutable copy of {@code elements}. */
  public static <T> scala.collection.immutable.Set<T> set(List<? extends T> elements) {
    return Scala.<T>seq(elements).toSet();
  }

  /** An immutable copy of {@code map}. */
  public static <K, V> scala.collection.immutable.Map<K, V> map(Map<K, V> map) {
    return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(map));
  }

  public static <T> Function0<T> function(Supplier<T> supplier) {
    return new AbstractFunction0<>() {
      @Override
      public T apply() {
        return supplier.get();
      }
    };
  }

  public static <A, B> Function1<A, B> function(java.util.function.Function<A, B> function) {
    return new AbstractFunction1<>() {
      @Override
      public B apply(A argument) {
        return function.apply(argument);
      }
    };
  }

  /** A function that is called for its effect. */
  public static <A> Function1<A, BoxedUnit> effect(Consumer<A> consumer) {
    return function(
        argument -> {
          consumer.accept(argument);
          return BoxedUnit.UNIT;
        });
  }

  /** A total function in the form that tree transformations want. */
  public static <T extends TreeNode<T>> PartialFunction<T, T> rewriting(UnaryOperator<T> rewrite) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(T node) {
        return true;
      }

      @Override
      public <A extends T, B> B applyOrElse(A node, Function1<A, B> otherwise) {
        @SuppressWarnings("unchecked") // B is a supertype of T wherever Scala calls this
        B result = (B) rewrite.apply(node);
        return result;
      }

      @Override
      public T apply(T node) {
        return rewrite.apply(node);
      }
    };
  }

  /** The result of {@code future}, waiting for it; its failure is thrown as it is. */
  public static <T> T await(Future<T> future) {
    try {
      return Await.result(future, Duration.Inf());
    } catch (Exception failure) {
      throw Scala.<RuntimeException>undeclared(failure);
    }
  }

  /** The result of {@code future}, waiting for it; its failure is thrown as it is. */
  public static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException failure) {
      throw Scala.<RuntimeException>undeclared(failure.getCause());
    } catch (InterruptedException interrupted) {
      throw Scala.<RuntimeException>undeclared(interrupted);
    }
  }

  /** Throws {@code failure}, checked or not, as Scala would; never returns. */
  public static RuntimeException undeclaredException(Throwable failure) {
    return Scala.<RuntimeException>undeclared(failure);
  }

  /** Scala declares no exceptions, so those of its callers and callees cross Java undeclared. */
  // E is inferred as unchecked, which erasure does not verify
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E undeclared(Throwable failure) throws E {
    throw (E) failure;
  }

  public static <T> ClassTag<T> classTag(Class<T> type) {
    return ClassTag$.MODULE$.apply(type);
  }
}
