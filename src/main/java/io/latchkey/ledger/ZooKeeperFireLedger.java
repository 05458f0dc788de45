package io.latchkey.ledger;

import io.latchkey.election.Term;
import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ledger in ZooKeeper: one for a process, over all its terms and sessions. */
public final class ZooKeeperFireLedger implements FireLedger {
    private static final Logger log = LoggerFactory.getLogger(ZooKeeperFireLedger.class);

    private final ZNodes nodes;
    private final LedgerSettings settings;
    private final Clock clock;
    private final ScheduledExecutorService background;
    private final EndingWriter endings;
    private final Sessions sessions;
    private final Parents parents = new Parents();
    private final Requests requests;

    /** Outlives terms: a cursor made anew starts after what this process knows to be claimed. */
    private final Map<TriggerKey, Instant> latest = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable ZooKeeperTermLedger> current = new AtomicReference<>();
    private volatile LedgerEvents events = LedgerEvents.NONE;

    /**
     * @param writer the one {@code ledger} thread, that writes outcomes
     * @param background the thread that folds history; it may block
     */
    public ZooKeeperFireLedger(
            ZNodes nodes,
            Sessions sessions,
            LedgerSettings settings,
            Clock clock,
            ScheduledExecutorService writer,
            ScheduledExecutorService background) {
        this.nodes = nodes;
        this.settings = settings;
        this.clock = clock;
        this.background = background;
        this.sessions = sessions;
        this.requests = new Requests(nodes, sessions, clock, parents);
        this.endings = new EndingWriter(writer, sessions, parents, this::recorded);
    }

    /** Tells {@code listener} of what is written from now on; of one alone. */
    public void listen(LedgerEvents listener) {
        events = listener;
    }

    LedgerEvents events() {
        return events;
    }

    @Override
    public void requireKnownFormats() throws LedgerException {
        try {
            LedgerLoader.ofTerm(nodes, new Reads(sessions.current())).requireKnownFormats();
        } catch (NotConnectedException e) {
            throw new LedgerException("no connection to ZooKeeper", e);
        }
    }

    @Override
    public TermLedger open(Term term) {
        return open(term, new FencedWriter(term));
    }

    ZooKeeperTermLedger open(Term term, FencedWriter writer) {
        ZooKeeperTermLedger opened = new ZooKeeperTermLedger(this, term, writer);
        current.set(opened);
        return opened;
    }

    /** What one term works with. */
    TermWork work(Term term, FencedWriter writer, java.util.function.Consumer<Held> done) {
        return new TermWork(term, nodes, clock, writer, parents, new Known(latest, settings.runningLimit()), done);
    }

    LedgerSettings settings() {
        return settings;
    }

    ScheduledExecutorService background() {
        return background;
    }

    private void recorded(Held held) {
        RunningRecord record = held.record();
        if (record.retry().isPresent()) {
            events.retried(record);
        }
        if (record.state() != RunningRecord.State.DONE) {
            return;
        }
        events.decided(record);
        ZooKeeperTermLedger term = current.get();
        if (term != null) {
            term.finished(held);
        }
    }

    @Override
    public CompletableFuture<Completion> complete(
            Claimed fire, Outcome outcome, @Nullable Map<String, @Nullable Object> persistedJobData) {
        return end(fire, fire.record().done(outcome), persistedJobData);
    }

    @Override
    public CompletableFuture<Completion> retry(
            Claimed fire, Outcome ended, Retry retry, @Nullable Map<String, @Nullable Object> persistedJobData) {
        return end(fire, fire.record().again(ended, retry), persistedJobData);
    }

    private CompletableFuture<Completion> end(
            Claimed fire, RunningRecord end, @Nullable Map<String, @Nullable Object> persistedJobData) {
        byte[] data = null;
        if (persistedJobData != null) {
            try {
                data = LedgerJson.write(JobData.of(persistedJobData));
                if (data.length > MAX_JOB_DATA_BYTES) {
                    throw new IllegalArgumentException(
                            "it takes " + data.length + " bytes; the limit is " + MAX_JOB_DATA_BYTES);
                }
            } catch (IllegalArgumentException e) {
                log.error(
                        "The data of job {} after {} is not kept, what was kept before stays. Its outcome is recorded",
                        fire.record().job(),
                        fire.id(),
                        e);
                data = null;
            }
        }
        return endings.write(new Ending(nodes, fire, end, data));
    }

    /** What a job may keep: it goes into one transaction with the outcome. */
    static final int MAX_JOB_DATA_BYTES = 48 * 1024;

    @Override
    public CompletableFuture<Completion> release(Claimed fire) {
        return endings.write(new Ending(nodes, fire, fire.record().released(), null));
    }

    @Override
    public String submit(Request request) throws LedgerException {
        return requests.submit(request);
    }

    @Override
    public void close() {
        ZooKeeperTermLedger term = current.getAndSet(null);
        if (term != null) {
            term.close();
        }
        endings.close();
    }
}
