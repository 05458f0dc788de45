package io.latchkey.ledger;

import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.ReadResult;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes on beside the claims while a term lasts: once a second the history is folded, now and then the running records
 * are looked through for those that others finished, and requests are watched for.
 */
final class TermChores implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TermChores.class);
    private static final int SCAN_EVERY = 10;
    /** Outcomes of this term's own claims are told, not looked for; a look at all of them makes up for what hands do. */
    private static final int SCAN_ALL_EVERY = 60;

    private final TermWork work;
    private final Reads reads;
    private final LedgerLoader loader;
    private final HistoryFolder folder;
    private final AuditTrail audit;
    private final TermLog terms;
    private final ScheduledExecutorService background;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private @Nullable ScheduledFuture<?> beat;
    private int beats;
    private volatile boolean closed;

    TermChores(
            TermWork work,
            Reads reads,
            LedgerLoader loader,
            HistoryFolder folder,
            AuditTrail audit,
            ScheduledExecutorService background) {
        this.audit = audit;
        this.terms = new TermLog(work, reads);
        this.work = work;
        this.reads = reads;
        this.loader = loader;
        this.folder = folder;
        this.background = background;
    }

    synchronized void start() {
        if (beat != null || closed) {
            return;
        }
        try {
            beat = background.scheduleWithFixedDelay(this::beat, 1, 1, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            log.warn("The history is not folded: the service is stopping", e);
        }
        watch();
    }

    void onRequests(Runnable listener) {
        listeners.add(listener);
    }

    private void beat() {
        if (closed || work.term().gate().isClosedForGood()) {
            return;
        }
        chore("The record of past terms is not written now; tried again", terms::write);
        if (++beats % SCAN_EVERY == 0) {
            scanAndFold(beats % SCAN_ALL_EVERY == 0);
            chore("The audit is not cut to its length now; tried again in a while", audit::trim);
            tell();
        } else {
            fold();
        }
    }

    /** A chore that may fail. */
    private interface Chore {
        void run() throws LedgerException;
    }

    private void chore(String otherwise, Chore chore) {
        try {
            chore.run();
        } catch (LedgerException e) {
            trouble(otherwise, e);
        }
    }

    void scanAndFold() {
        scanAndFold(true);
    }

    private void scanAndFold(boolean all) {
        try {
            List<String> paths = reads.childPaths(work.nodes().running());
            work.known().running(paths);
            List<String> toRead = all
                    ? paths
                    : paths.stream().filter(path -> !work.known().isMine(path)).toList();
            for (Held held : loader.running(toRead)) {
                if (held.record().state() == RunningRecord.State.DONE) {
                    folder.add(held);
                }
            }
        } catch (FormatTooNewException e) {
            log.debug("The term ends for it", work.forbid(e));
            return;
        } catch (LedgerException e) {
            trouble("The running records cannot be looked through now; tried again in a while", e);
            return;
        }
        fold();
    }

    private void fold() {
        try {
            if (!closed) {
                folder.fold();
            }
        } catch (LedgerException e) {
            trouble("Outcomes are not folded into the history now; they stay where they are, tried again", e);
        }
    }

    /** What fails because the term is over is no news: that was said. */
    private void trouble(String what, LedgerException e) {
        if (!closed && work.term().gate().isOpen()) {
            log.warn("{} ({})", what, e.getMessage());
        }
        log.debug("{}", what, e);
    }

    private void watch() {
        if (closed) {
            return;
        }
        var unused = work.term()
                .session()
                .children(work.nodes().requests(), event -> {
                    if (event.getType() != Watcher.Event.EventType.None) {
                        watch();
                        tell();
                    }
                })
                .thenAccept(read -> {
                    if (read instanceof ReadResult.Failed<?> failed) {
                        log.debug("Requests are not watched ({}); they are looked for now and then", failed);
                    }
                });
    }

    private void tell() {
        if (closed) {
            return;
        }
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                log.error("A listener for requests failed", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (beat != null) {
            beat.cancel(false);
        }
        terms.end();
    }
}
