package io.latchkey.scheduler;

import io.latchkey.jobs.FireContext;
import io.latchkey.jobs.OutputTail;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.lifecycle.Faults;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quartz.InterruptableJob;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.UnableToInterruptJobException;
import org.quartz.simpl.PropertySettingJobFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between Quartz and the author's job: asks gate and claim at the last moment, makes the author's object only
 * then (Quartz would put a job whose constructor threw into an error state for good), and turns whatever comes of it into
 * an outcome. One object for one fire; run by one thread at a time.
 */
final class FireJob implements InterruptableJob {
    /** How often one fire is run again at once because its job asks for it. */
    static final int MAX_REFIRES = 3;

    private static final Logger log = LoggerFactory.getLogger(FireJob.class);

    private final FiredBundle bundle;
    private final Scheduler scheduler;
    private final Clock clock;
    private final Faults faults;
    private @Nullable Job job;
    private volatile @Nullable Job target;

    FireJob(FiredBundle bundle, Scheduler scheduler, Clock clock, Faults faults) {
        this.bundle = bundle;
        this.scheduler = scheduler;
        this.clock = clock;
        this.faults = faults;
    }

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        Flight flight = bundle.flight();
        if (!flight.started() && !flight.begin()) {
            flight.giveBack(flight.term().whyNot());
            return;
        }
        if (job == null) {
            flight.starting();
        }
        flight.deadline().ifPresent(deadline -> {
            context.put(FireContext.DEADLINE, clock.instant().plus(deadline.remaining()));
            context.put(FireContext.TIME_REMAINING, (Supplier<Duration>) deadline::remaining);
        });
        long from = System.nanoTime();
        try {
            run(context, flight);
            end(context, from, null);
        } catch (Throwable thrown) {
            if (Faults.isFatal(thrown)) {
                faults.report(
                        "Job " + flight.job() + " (" + flight.id() + ") met an error of the virtual machine", thrown);
            }
            if (refires(context, flight, thrown)) {
                throw (JobExecutionException) thrown;
            }
            end(context, from, thrown);
            JobExecutionException told = new JobExecutionException(thrown.toString(), thrown, false);
            told.setRefireImmediately(false);
            throw told;
        }
    }

    private void run(JobExecutionContext context, Flight flight) throws JobExecutionException, SchedulerException {
        Job made = job;
        if (made == null) {
            PropertySettingJobFactory factory = new PropertySettingJobFactory();
            factory.setWarnIfPropertyNotFound(false);
            made = factory.newJob(bundle, scheduler);
            job = made;
            target = made;
            flight.runs(made);
        }
        made.execute(context);
    }

    private boolean refires(JobExecutionContext context, Flight flight, Throwable thrown) {
        if (!(thrown instanceof JobExecutionException asked) || !asked.refireImmediately()) {
            return false;
        }
        if (flight.interrupted().isPresent()) {
            log.warn(
                    "Job {} asks to be run again at once, but was interrupted; it is not ({})",
                    flight.job(),
                    flight.id());
            return false;
        }
        if (context.getRefireCount() >= MAX_REFIRES) {
            log.warn(
                    "Job {} asks to be run again at once for the {}th time ({}); it is not, the fire has failed",
                    flight.job(),
                    context.getRefireCount() + 1,
                    flight.id());
            return false;
        }
        log.warn("Job {} failed and asks to be run again at once ({})", flight.job(), flight.id(), thrown);
        return true;
    }

    private void end(JobExecutionContext context, long fromNanos, @Nullable Throwable thrown) {
        Flight flight = bundle.flight();
        flight.leaves();
        // Only now: on a thread with the flag set nothing could be recorded or logged reliably.
        Thread.interrupted();
        Duration ran = Duration.ofNanos(System.nanoTime() - fromNanos);
        Retrying.Verdict verdict = flight.verdict(outcome(flight, ran, thrown).saying(output(context)));
        Outcome outcome = verdict.outcome();
        if (outcome.kind() == Kind.SUCCEEDED) {
            log.debug("Job {} succeeded in {} ms ({})", flight.job(), ran.toMillis(), flight.id());
        } else {
            // The only trace: Quartz's own logger for this is off.
            log.warn(
                    "Job {} {} ({}, attempt {}): {}; {}",
                    flight.job(),
                    outcome.kind() == Kind.INTERRUPTED ? "was interrupted" : "failed",
                    flight.id(),
                    flight.record().current().number(),
                    outcome.error(),
                    verdict.consequence(),
                    saysAll() ? null : thrown);
        }
        flight.end(verdict, JobData.toPersist(context.getJobDetail()));
    }

    private Outcome outcome(Flight flight, Duration ran, @Nullable Throwable thrown) {
        Flight.Interrupt interrupt = flight.interrupted().orElse(null);
        if (interrupt != null) {
            Kind kind = interrupt.timeout() ? Kind.FAILED : Kind.INTERRUPTED;
            return Outcome.failed(kind, clock.instant(), ran, interrupt.why());
        }
        return thrown == null
                ? Outcome.succeeded(clock.instant(), ran)
                : Outcome.failed(Kind.FAILED, clock.instant(), ran, describe(thrown));
    }

    /** What the job left of its output, if it did: by the key alone, without {@link FireContext}, as well. */
    private static @Nullable String output(JobExecutionContext context) {
        return context.get(FireContext.OUTPUT) instanceof CharSequence output && !output.isEmpty()
                ? OutputTail.of(output.toString())
                : null;
    }

    /** Whether what the job throws needs no stack trace: the built-in ones say in words what went wrong, and where. */
    private boolean saysAll() {
        return job != null && job.getClass().getPackageName().equals(FireContext.class.getPackageName());
    }

    /** The whole chain in one line: Quartz wraps what jobs throw, and the outermost message says little. */
    private static String describe(Throwable thrown) {
        // What a job fails with on purpose is known by its words.
        String words = thrown instanceof JobExecutionException ? thrown.getMessage() : null;
        StringBuilder text = new StringBuilder(words == null ? thrown.toString() : words);
        Throwable at = thrown.getCause();
        for (int depth = 0; at != null && depth < 5; depth++) {
            String message = at.getMessage();
            if (text.indexOf(message == null || message.isBlank() ? at.toString() : message) < 0) {
                text.append(" / ").append(at);
            }
            at = at.getCause();
        }
        return text.toString();
    }

    @Override
    public void interrupt() throws UnableToInterruptJobException {
        if (target instanceof InterruptableJob interruptable) {
            interruptable.interrupt();
        } else {
            throw new UnableToInterruptJobException(
                    "Job " + bundle.flight().job() + " is no InterruptableJob, or has not started yet");
        }
    }
}
