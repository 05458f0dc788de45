package io.latchkey.scheduler;

import io.latchkey.election.Term;
import io.latchkey.jobs.FireContext;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.lifecycle.Faults;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.core.JobRunShell;
import org.quartz.core.QuartzScheduler;
import org.slf4j.MDC;

/**
 * Quartz's frame around one run, with what Latchkey adds: the keys that a job and listeners find in the context, the
 * author's class loader, the fire in every log line, and that however the frame ends, the fire and its job are let go.
 */
final class FireShell extends JobRunShell {
    private final FiredBundle bundle;
    private final ClassLoader authors;
    private final Faults faults;
    private final Consumer<FiredBundle> afterwards;

    /** @param afterwards told when the frame has ended, in whatever way */
    FireShell(
            Scheduler scheduler,
            FiredBundle bundle,
            ClassLoader authors,
            Faults faults,
            Consumer<FiredBundle> afterwards) {
        super(scheduler, bundle);
        this.bundle = bundle;
        this.authors = authors;
        this.faults = faults;
        this.afterwards = afterwards;
    }

    @Override
    public void initialize(QuartzScheduler quartz) throws SchedulerException {
        super.initialize(quartz);
        fill(jec, bundle);
    }

    private static void fill(JobExecutionContext context, FiredBundle bundle) {
        Flight flight = bundle.flight();
        RunningRecord record = flight.record();
        Term term = flight.term();
        Missed missed = record.info().missed();
        context.put(FireContext.FIRE_ID, flight.id().toString());
        context.put(FireContext.FENCING_TOKEN, term.token());
        context.put(FireContext.ATTEMPT, record.current().number());
        context.put(FireContext.TERM, term.number());
        context.put(FireContext.INSTANCE, term.instanceId());
        context.put(FireContext.SCHEDULED_TIME, flight.id().slot());
        context.put(FireContext.CATCH_UP, missed.catchUp());
        if (missed.first() != null) {
            context.put(FireContext.MISSED_COUNT, missed.count());
            context.put(FireContext.FIRST_MISSED, missed.first());
        }
        context.put(FireContext.STILL_LEADING, (BooleanSupplier) term::mayStart);
        context.put(FireContext.LEASE_REMAINING, (Supplier<Duration>) term.lease()::remaining);
    }

    @Override
    public void run() {
        Flight flight = bundle.flight();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(authors);
        MDC.put("job", flight.job().toString());
        MDC.put("fire", flight.id().toString());
        MDC.put("attempt", Integer.toString(flight.record().current().number()));
        MDC.put("term", Long.toString(flight.term().number()));
        try {
            super.run();
        } catch (Throwable t) {
            faults.report("The frame around job " + flight.job() + " (" + flight.id() + ") failed", t);
        } finally {
            try {
                afterwards.accept(bundle);
            } finally {
                MDC.remove("job");
                MDC.remove("fire");
                MDC.remove("attempt");
                MDC.remove("term");
                thread.setContextClassLoader(before);
            }
        }
    }
}
