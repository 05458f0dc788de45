package io.latchkey.election;

import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this instance says of itself: each change of its role is logged and published. The role is the {@code leadership}
 * thread's to change; the rest may be called by any thread.
 */
final class Profile {
    // The election speaks under one name.
    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    private final Supplier<InstanceInfo> info;
    private final Standing standing;
    private final Time time;
    private final String id;

    /** @param info asked anew for every write. The id must not change */
    Profile(Supplier<InstanceInfo> info, Standing standing, Time time) {
        this.info = info;
        this.standing = standing;
        this.time = time;
        this.id = info.get().id();
    }

    String id() {
        return id;
    }

    InstanceInfo info() {
        return info.get();
    }

    /** What this instance publishes of itself at the moment. */
    InstanceRecord record() {
        Membership membership = standing.membership;
        return record(membership == null ? "" : membership.session().incarnation());
    }

    private InstanceRecord record(String incarnation) {
        Role role = standing.role;
        Term term = standing.term;
        boolean leads = role == Role.LEADING && term != null;
        return new InstanceRecord(
                InstanceRecord.FORMAT,
                info.get(),
                role.text(),
                leads && term != null ? term.number() : 0,
                leads && term != null ? term.token() : 0,
                time.now(),
                incarnation,
                standing.troubled().orElse(null));
    }

    void become(Role next, String why) {
        standing.role = standing.role.become(next);
        log.info("Instance \"{}\" is {}: {}", id, next == Role.LEADING ? "LEADING" : next.text(), why);
        publish();
    }

    /** Publishes what this instance says of itself anew, where that has changed; asynchronous. */
    void publish() {
        Membership membership = standing.membership;
        if (membership != null && membership.lost().isEmpty()) {
            CompletableFuture<TxResult> written = membership.write(record(), new Transaction(), time);
            Async.then(written, "publishing this instance", result -> {
                if (!result.isCommitted()) {
                    log.debug("Not published: {}", result);
                }
            });
        }
    }
}
