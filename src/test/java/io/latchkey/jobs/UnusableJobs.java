package io.latchkey.jobs;

import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Classes that no scheduler can make a job of. */
public final class UnusableJobs {
    private UnusableJobs() {}

    /** Wants an argument. */
    public static final class NoDefault implements Job {
        private final String text;

        public NoDefault(String text) {
            this.text = text;
        }

        @Override
        public void execute(JobExecutionContext context) {
            context.setResult(text);
        }
    }

    static final class Hidden implements Job {
        public Hidden() {}

        @Override
        public void execute(JobExecutionContext context) {}
    }

    /** Cannot be made. */
    public abstract static class Unfinished implements Job {}

    /** Wants an outer instance. */
    @SuppressWarnings("ClassCanBeStatic") // That it is not is what the test is about.
    public final class Inner implements Job {
        public Inner() {}

        @Override
        public void execute(JobExecutionContext context) {}
    }

    /** Implements nothing. */
    public static final class NoJob {}
}
