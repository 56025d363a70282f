package io.bloomjoin.hadoop.job;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Job;

/** A MapReduce job that ended without its result. */
public final class JobFailedException extends IOException {

  private static final long serialVersionUID = 1L;

  private JobFailedException(String message) {
    super(message);
  }

  /** The local runner tells none. */
  private static String reason(Job job) throws IOException, InterruptedException {
    String told = job.getStatus().getFailureInfo();
    return told == null || told.equals("NA") ? "the log of its tasks has the reason" : told;
  }

  /** Runs a job to its end. */
  static void run(Job job) throws IOException {
    boolean done;
    try {
      done = job.waitForCompletion(false);
      if (!done) {
        throw new JobFailedException(
            "The job \"" + job.getJobName() + "\" (" + job.getJobID() + ") failed: " + reason(job));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JobFailedException("Interrupted while the job " + job.getJobID() + " ran");
    } catch (ClassNotFoundException e) {
      throw new JobFailedException("A class of the job is not there: " + e.getMessage());
    }
  }
}
