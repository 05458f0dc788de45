package io.latchkey.election;

import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.SetupException;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes this instance in the client's session, the first thing it does there. Where its id is held by another session,
 * that may be its own earlier one, about to expire: it waits as long as an expiry takes. The {@code leadership} thread's own.
 */
final class Joining {
    private static final Logger log = LoggerFactory.getLogger(Joining.class);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final ZooKeeperClient client;
    private final ZNodes nodes;
    private final Supplier<InstanceRecord> record;
    private final Time time;
    private final Consumer<String> whenLost;
    private long nextTryNanos;
    private Optional<Long> waitingSinceNanos = Optional.empty();
    private @Nullable Session prepared;
    private String said = "";

    Joining(
            ZooKeeperClient client,
            ZNodes nodes,
            Supplier<InstanceRecord> record,
            Time time,
            Consumer<String> whenLost) {
        this.client = client;
        this.nodes = nodes;
        this.record = record;
        this.time = time;
        this.whenLost = whenLost;
        this.nextTryNanos = time.nanoTime();
    }

    /**
     * Tries once.
     *
     * @return empty if it is to be tried again
     * @throws DuplicateInstanceException if another live session holds the id and has had its time to go
     */
    Optional<Membership> tryJoin() throws NotConnectedException, DuplicateInstanceException, InterruptedException {
        if (time.nanoTime() - nextTryNanos < 0) {
            return Optional.empty();
        }
        nextTryNanos = time.nanoTime() + PAUSE.toNanos();
        Session session = client.session();
        if (session != prepared && !prepare(session)) {
            return Optional.empty();
        }
        InstanceRecord mine = withIncarnation(record.get(), session);
        Lease lease = new Lease(session.timeout(), time.clock(), time.nanos());
        Membership membership =
                new Membership(session, lease, nodes, mine.instance().id(), whenLost);
        Membership.Published published = membership.publish(mine, time);
        if (published instanceof Membership.Published.Done) {
            waitingSinceNanos = Optional.empty();
            said = "";
            return Optional.of(membership);
        }
        if (published instanceof Membership.Published.Held held) {
            held(session, mine, held);
        } else if (published instanceof Membership.Published.Failed failed) {
            prepared = null;
            sayOnce("Cannot join: " + failed.why() + ". Trying again until it works");
        }
        return Optional.empty();
    }

    /** Once a session: the ensemble may have come back with its data lost. */
    private boolean prepare(Session session) throws NotConnectedException, InterruptedException {
        try {
            client.prepare();
            prepared = session;
            return true;
        } catch (SetupException e) {
            sayOnce("Cannot join: " + e.getMessage() + ". Trying again until it works");
            log.debug("The service's nodes cannot be made", e);
            return false;
        }
    }

    private void held(Session session, InstanceRecord mine, Membership.Published.Held held)
            throws DuplicateInstanceException {
        if (held.record().filter(other -> isThisProcess(other, mine)).isPresent()) {
            sayOnce("The earlier session of this process, 0x" + Long.toHexString(held.owner())
                    + ", is not expired yet: waiting for its node "
                    + nodes.instance(mine.instance().id()) + " to go");
            return;
        }
        long now = time.nanoTime();
        long since = waitingSinceNanos.orElse(now);
        waitingSinceNanos = Optional.of(since);
        // A session is expired within its timeout and one tick; the timeout is at least two ticks.
        Duration enough = session.timeout().multipliedBy(3).dividedBy(2);
        Duration waited = Duration.ofNanos(now - since);
        if (waited.compareTo(enough) > 0) {
            throw new DuplicateInstanceException(mine.instance().id(), held.record(), waited);
        }
        sayOnce("The instance id \"" + mine.instance().id() + "\" is in use by session 0x"
                + Long.toHexString(held.owner()) + ": waiting " + enough.toMillis()
                + " ms for it to go, for this may be a restart");
    }

    private static boolean isThisProcess(InstanceRecord other, InstanceRecord mine) {
        return other.instance().pid() == mine.instance().pid()
                && other.instance().host().equals(mine.instance().host())
                && other.instance().started().equals(mine.instance().started());
    }

    private static InstanceRecord withIncarnation(InstanceRecord mine, Session session) {
        return new InstanceRecord(
                mine.format(),
                mine.instance(),
                mine.role(),
                mine.term(),
                mine.token(),
                mine.heartbeat(),
                session.incarnation(),
                mine.trouble());
    }

    private void sayOnce(String what) {
        if (!what.equals(said)) {
            said = what;
            log.warn("{}", what);
        }
    }
}
