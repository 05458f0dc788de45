package io.latchkey.reload;

import io.latchkey.election.InstanceInfo;
import io.latchkey.election.Leadership;
import io.latchkey.election.ReloadAnswer;
import io.latchkey.election.Role;
import io.latchkey.election.Term;
import io.latchkey.ledger.LeadingConf;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.ReloadCall;
import io.latchkey.ledger.ReloadCalls;
import io.latchkey.scheduler.TermScheduler;
import io.latchkey.view.ClusterView;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads one instance, whatever its role: when a call comes, which every instance hears and answers in its own node, and,
 * if it is to watch its files, when they have another content and have had it for a while. Puts on record which
 * configuration leads, and looks whether the others have the same.
 *
 * <p>All of it on one thread. A call is looked for again and again, so none can be missed: an instance that was away
 * answers when it is back.
 */
public final class Reloading {
    private static final Logger log = LoggerFactory.getLogger(Reloading.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    /** One look at the others in so many periods. */
    private static final int COMPARE_EVERY = 3;

    private final ConfReload conf;
    private final ReloadCalls calls;
    private final LeadingConf leading;
    private final ConfDrift drift;
    private final TermScheduler scheduler;
    private final ScheduledExecutorService thread;
    private final Clock clock;
    private final AtomicReference<@Nullable ReloadAnswer> last = new AtomicReference<>();
    private final AtomicBoolean called = new AtomicBoolean();
    private @Nullable Leadership leadership;
    private long answered;
    private String filesSeen = "";
    private String filesRead;
    private @Nullable Term recordedTerm;
    private String recordedConf = "";
    private int periods;

    /** What it reads, writes and compares. */
    public record Parts(ConfReload conf, ReloadCalls calls, LeadingConf leading, ConfDrift drift) {}

    public Reloading(Parts parts, TermScheduler scheduler, ScheduledExecutorService thread, Clock clock) {
        this.conf = parts.conf();
        this.filesRead = conf.filesAtStart();
        this.calls = parts.calls();
        this.leading = parts.leading();
        this.drift = parts.drift();
        this.scheduler = scheduler;
        this.thread = thread;
        this.clock = clock;
    }

    /** What the instance says of itself: what is in force, and what became of the last reload. Any thread. */
    public InstanceInfo described(InstanceInfo info) {
        return info.reloaded(scheduler.inForce().digest(), last.get());
    }

    /** Starts. The thread is the caller's, who shuts it down in the end. */
    public void start(Leadership elected) {
        thread.execute(() -> leadership = elected);
        var unused = thread.scheduleWithFixedDelay(this::look, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Something may have happened: looks soon. Any thread; returns at once. */
    public void wake() {
        if (called.compareAndSet(false, true)) {
            try {
                thread.execute(this::answer);
            } catch (RejectedExecutionException e) {
                log.debug("The instance is stopping; it does not reload any more", e);
            }
        }
    }

    private void look() {
        try {
            answer();
            watch();
            record();
            if (++periods % COMPARE_EVERY == 0) {
                compare();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.debug("The instance is stopping", e);
        }
    }

    private void answerCall() throws LedgerException, InterruptedException {
        called.set(false);
        // Set before it is read: what comes in between is told.
        calls.onNext(this::wake);
        Optional<ReloadCall> call = calls.last();
        if (call.isEmpty() || call.get().number() == answered) {
            return;
        }
        log.info("{} calls all instances to reload", call.get().by());
        Reloaded result = conf.reload(call.get().allowEmpty());
        filesRead = conf.files();
        answered = call.get().number();
        publish(answered, result);
    }

    private void answer() {
        try {
            answerCall();
        } catch (LedgerException e) {
            log.debug("Whether a reload is called for cannot be told now", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.debug("The instance is stopping", e);
        }
    }

    /** Reads the files when they were the same in two looks, and are not what was read last: never one half written. */
    private void watch() throws InterruptedException {
        boolean watches = conf.watches();
        String now = watches ? conf.files() : "";
        if (watches && now.equals(filesSeen) && !now.equals(filesRead)) {
            log.info("The files of the conf directory have changed");
            filesRead = now;
            publish(0, conf.reload(false));
        }
        filesSeen = now;
    }

    private void publish(long call, Reloaded result) {
        String outcome = result instanceof Reloaded.Applied
                ? ReloadAnswer.APPLIED
                : result instanceof Reloaded.Refused ? ReloadAnswer.REFUSED : ReloadAnswer.UNCHANGED;
        last.set(ReloadAnswer.of(call, outcome, result.lines(), clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        if (leadership != null) {
            leadership.publish();
        }
        record();
    }

    private void record() {
        Leadership elected = leadership;
        Term term = elected == null || elected.role() != Role.LEADING
                ? null
                : elected.term().orElse(null);
        String digest = scheduler.inForce().digest();
        if (term == null || (term == recordedTerm && digest.equals(recordedConf))) {
            return;
        }
        try {
            // In one term it changes because somebody changed the files where it leads: that is meant.
            if (leading.record(term, digest, term == recordedTerm)) {
                recordedTerm = term;
                recordedConf = digest;
            }
        } catch (LedgerException e) {
            log.debug("It cannot be put on record now that {} leads", digest, e);
        }
    }

    /** Whatever was published and got lost is published again. */
    private void compare() {
        Leadership elected = leadership;
        Optional<ClusterView> view = drift.look();
        if (elected == null || view.isEmpty()) {
            return;
        }
        InstanceInfo mine = elected.record().instance();
        view.get()
                .instance(mine.id())
                .filter(seen ->
                        !Objects.equals(seen.reload(), mine.reload()) || !Objects.equals(seen.conf(), mine.conf()))
                .ifPresent(seen -> elected.publish());
    }
}
