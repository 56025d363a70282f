package io.bloomjoin.spark.plan;

import io.bloomjoin.spark.build.BuiltFilter;
import io.bloomjoin.spark.build.FilterBuilds;
import io.bloomjoin.spark.build.FilterSettings;
import io.bloomjoin.spark.catalyst.Expressions;
import io.bloomjoin.spark.catalyst.JoinKeys;
import io.bloomjoin.spark.catalyst.KeyNumber;
import io.bloomjoin.spark.catalyst.KeyReader;
import io.bloomjoin.spark.catalyst.Scala;
import io.bloomjoin.spark.probe.FilterHandle;
import io.bloomjoin.spark.probe.KeyColumn;
import io.bloomjoin.spark.probe.ProbeMetrics;
import io.bloomjoin.spark.probe.RowProbe;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.BinaryExecNode;
import org.apache.spark.sql.execution.CodegenSupport;
import org.apache.spark.sql.execution.SQLExecution$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics$;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * An approximate semi-join: the rows of {@code left} whose key may be among those of {@code right}.
 *
 * <p>The right child is the exchange that a join above reads as its build side, or its query stage,
 * and canonicalises equal to it, so that Spark runs it once for both. The rows go straight through
 * from the left; of the right child only the keys are used, for a Bloom filter or, where that is no
 * larger, an exact set. Every row that equals a right row in all keys passes; of the others, those
 * with a null key column never do.
 *
 * <p>The build starts in {@link #doPrepare} and is awaited when the rows are asked for.
 */
public final class BloomPruneExec extends SparkPlan implements BinaryExecNode, CodegenSupport {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> leftKeys;
  private final Seq<Expression> rightKeys;
  private final FilterSettings settings;
  private final SparkPlan left;
  private final SparkPlan right;

  private final transient FilterSlot slot = new FilterSlot();
  private transient CompletableFuture<BuiltFilter> build;
  private transient Map<String, SQLMetric> metrics;
  private transient CodegenSupport parent;
  private transient volatile List<String> toldScan = List.of();

  /**
   * @param leftKeys the keys of the rows to prune, over the output of {@code left}
   * @param rightKeys the keys they must be among, over the output of {@code right}, equal in number
   *     and types
   * @param settings what shapes the filter
   */
  public BloomPruneExec(
      Seq<Expression> leftKeys,
      Seq<Expression> rightKeys,
      FilterSettings settings,
      SparkPlan left,
      SparkPlan right) {
    this.leftKeys = leftKeys;
    this.rightKeys = rightKeys;
    this.settings = settings;
    this.left = left;
    this.right = right;
  }

  public Seq<Expression> leftKeys() {
    return leftKeys;
  }

  public Seq<Expression> rightKeys() {
    return rightKeys;
  }

  // ---- the tree node

  @Override
  public SparkPlan left() {
    return left;
  }

  @Override
  public SparkPlan right() {
    return right;
  }

  @Override
  public Seq<SparkPlan> children() {
    return Scala.seq(left, right);
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return withNewChildrenInternal(children.apply(0), children.apply(1));
  }

  @Override
  public SparkPlan withNewChildrenInternal(SparkPlan newLeft, SparkPlan newRight) {
    return new BloomPruneExec(leftKeys, rightKeys, settings, newLeft, newRight);
  }

  @Override
  public int productArity() {
    return 5;
  }

  @Override
  public Object productElement(int n) {
    return switch (n) {
      case 0 -> leftKeys;
      case 1 -> rightKeys;
      case 2 -> settings;
      case 3 -> left;
      case 4 -> right;
      default -> throw new IndexOutOfBoundsException(Integer.toString(n));
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BloomPruneExec;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof BloomPruneExec that
            && leftKeys.equals(that.leftKeys)
            && rightKeys.equals(that.rightKeys)
            && settings.equals(that.settings)
            && left.equals(that.left)
            && right.equals(that.right));
  }

  @Override
  public int hashCode() {
    return Objects.hash(leftKeys, rightKeys, settings, left, right);
  }

  @Override
  public String nodeName() {
    return "BloomPrune";
  }

  @Override
  public String simpleString(int maxFields) {
    return "BloomPrune "
        + leftKeys.mkString("[", ", ", "]")
        + " in "
        + rightKeys.mkString("[", ", ", "]")
        + ", "
        + filterState()
        + (toldScan.isEmpty() ? "" : ", scan: " + scanState());
  }

  @Override
  public String verboseStringWithOperatorId() {
    return "\n"
        + formattedNodeName()
        + "\nLeft keys: "
        + leftKeys.mkString("[", ", ", "]")
        + "\nRight keys: "
        + rightKeys.mkString("[", ", ", "]")
        + "\nFilter: "
        + filterState()
        + (toldScan.isEmpty() ? "" : "\nScan: " + scanState())
        + "\n";
  }

  /** What the scan below was told of the keys, in words; empty if nothing. */
  private String scanState() {
    return String.join(" and ", toldScan);
  }

  /** What became of the filter, in words. */
  public String filterState() {
    CompletableFuture<BuiltFilter> started = build;
    if (started == null) {
      return "not built yet";
    }
    if (!started.isDone()) {
      return "in building";
    }
    return started.isCompletedExceptionally() ? "failed with its query" : started.join().state();
  }

  // ---- what passes through from the left

  @Override
  public Seq<Attribute> output() {
    return left.output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return left.outputPartitioning();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return left.outputOrdering();
  }

  // ---- the build

  @Override
  public Map<String, SQLMetric> metrics() {
    if (metrics == null) {
      metrics = PruneMetrics.create(sparkContext());
    }
    return metrics;
  }

  @Override
  public void doPrepare() {
    if (build == null) {
      boolean withValues = conf().wholeStageEnabled() && NarrowedScan.isPossible(this);
      build = FilterBuilds.start(right, Scala.list(rightKeys), settings, withValues);
    }
  }

  /** Waits for the build, fills the slot that tasks carry, and reports what was built. */
  BuiltFilter awaitFilter() {
    doPrepare();
    BuiltFilter built = Scala.await(build);
    if (slot.fill(built.handle())) {
      postDriverMetrics(PruneMetrics.record(metrics(), built));
    }
    return built;
  }

  /** Reports what the scan below was told, and how many partitions it left out for that. */
  void showNarrowing(List<String> told, long skippedPartitions) {
    toldScan = told;
    postDriverMetrics(PruneMetrics.recordSkipped(metrics(), skippedPartitions));
  }

  private void postDriverMetrics(List<SQLMetric> changed) {
    String execution = sparkContext().getLocalProperty(SQLExecution$.MODULE$.EXECUTION_ID_KEY());
    SQLMetrics$.MODULE$.postDriverMetricUpdates(sparkContext(), execution, Scala.seq(changed));
  }

  private ProbeMetrics probeMetrics() {
    return PruneMetrics.probeMetrics(metrics());
  }

  // ---- interpreted

  @Override
  public RDD<InternalRow> doExecute() {
    FilterHandle filter = awaitFilter().handle();
    return PrunedRows.of(
        left.execute(),
        filter,
        new KeyReader.Factory(Scala.list(leftKeys), Scala.list(left.output())),
        probeMetrics(),
        settings.maxPassRatio());
  }

  // ---- code generation

  @Override
  public CodegenSupport parent() {
    return parent;
  }

  @Override
  public void parent_$eq(CodegenSupport newParent) {
    parent = newParent;
  }

  private CodegenSupport leftSupport() {
    return (CodegenSupport) left;
  }

  @Override
  public Seq<RDD<InternalRow>> inputRDDs() {
    awaitFilter();
    RDD<InternalRow> narrowed = NarrowedScan.rowsFor(this);
    return narrowed == null ? leftSupport().inputRDDs() : Scala.seq(narrowed);
  }

  /** As the producer of the loop over batches it is asked, though it has children. */
  @Override
  public boolean canCheckLimitNotReached() {
    return true;
  }

  @Override
  public boolean needCopyResult() {
    return leftSupport().needCopyResult();
  }

  /** Nothing is evaluated before the key is known to pass. */
  @Override
  public AttributeSet usedInputs() {
    return AttributeSet$.MODULE$.empty();
  }

  @Override
  public String doProduce(CodegenContext ctx) {
    String slotTerm = ctx.addReferenceObj("bloomSlot", slot, FilterSlot.class.getName());
    BatchLoop loop = BatchLoop.of(left, Scala.list(leftKeys));
    String produced =
        loop == null
            ? leftSupport().produce(ctx, this)
            : loop.produce(ctx, this, newBatchProbe(ctx, slotTerm, loop.keys()));
    return "if (!" + slotTerm + ".isRejectsAll()) {\n" + produced + "\n}";
  }

  private String newBatchProbe(CodegenContext ctx, String slotTerm, List<KeyColumn> keys) {
    return "%s.newBatchProbe(%s, %sD, %s)"
        .formatted(
            slotTerm,
            ctx.addReferenceObj("probeMetrics", probeMetrics(), ProbeMetrics.class.getName()),
            settings.maxPassRatio(),
            ctx.addReferenceObj("keyColumns", keys, List.class.getName()));
  }

  @Override
  public String doConsume(CodegenContext ctx, Seq<ExprCode> input, ExprCode row) {
    String slotTerm = ctx.addReferenceObj("bloomSlot", slot, FilterSlot.class.getName());
    String metricsTerm =
        ctx.addReferenceObj("probeMetrics", probeMetrics(), ProbeMetrics.class.getName());
    String probe =
        ctx.addMutableState(
            RowProbe.class.getName(),
            "bloomProbe",
            Scala.function(
                name ->
                    String.format(
                        "%s = %s.newProbe(%s, %sD);",
                        name, slotTerm, metricsTerm, settings.maxPassRatio())),
            true,
            true);
    List<Attribute> attributes = Scala.list(left.output());
    List<Expression> keys = Scala.list(leftKeys);
    StringBuilder code = new StringBuilder();
    code.append(evaluateRequiredVariables(left.output(), input, JoinKeys.references(keys)));
    ctx.currentVars_$eq(input);
    ctx.INPUT_ROW_$eq(null);
    KeyNumber number = KeyNumber.of(keys);
    Expression asked = number == KeyNumber.NONE ? JoinKeys.hash(keys) : keys.get(0);
    ExprCode anyNull = Expressions.bind(JoinKeys.anyNull(keys), attributes).genCode(ctx);
    ExprCode key = Expressions.bind(asked, attributes).genCode(ctx);
    return """
        do {
          %s
          %s
          if (%s) {
            %s.dropNullKey();
            continue;
          }
          %s
          if (!%s.%s(%s)) continue;
          %s
        } while (false);
        """
        .formatted(
            code,
            anyNull.code(),
            anyNull.value(),
            probe,
            key.code(),
            probe,
            test(number),
            key.value(),
            consume(ctx, input, null));
  }

  /** The method of {@link RowProbe} that takes such a key. */
  private static String test(KeyNumber number) {
    return switch (number) {
      case NONE -> "mightContain";
      case INT -> "mightContainInt";
      case LONG -> "mightContainLong";
    };
  }
}
