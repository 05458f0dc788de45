package io.latchkey.election;

import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Curator's {@link LeaderLatch}, with what it lacks: a watch on its own node, a new latch in place of one that lost its node
 * or never got one, and the removal of nodes of ours that no latch answers for. Holding it is a hint, never a right to act.
 *
 * <p>Its methods are called on the {@code leadership} thread, but for {@link #leave}, which any thread may call.
 */
final class LatchElector {
    private static final Logger log = LoggerFactory.getLogger(LatchElector.class);

    private final CuratorFramework curator;
    private final String path;
    private final String id;
    private final Executor events;
    private final Runnable poke;
    private final Consumer<String> whenLost;
    private final Time time;

    private volatile @Nullable Candidacy candidacy;

    /**
     * @param path the latch's path
     * @param id what the own latch node shows to people
     * @param events one thread, for the latch's events
     * @param poke run on that thread: look again
     * @param whenLost told why, on the thread that learns that the latch or its node went; must return at once
     */
    LatchElector(
            CuratorFramework curator,
            String path,
            String id,
            Executor events,
            Runnable poke,
            Consumer<String> whenLost,
            Time time) {
        this.curator = curator;
        this.path = path;
        this.id = id;
        this.events = events;
        this.poke = poke;
        this.whenLost = whenLost;
        this.time = time;
    }

    /** Becomes a candidate, at the tail, with a new latch. Not while another thread is in {@link #leave}: its latch would be lost. */
    synchronized void join(Session session) {
        leave();
        Candidacy next = new Candidacy(session);
        candidacy = next;
        next.start();
    }

    /** Stops being a candidate; the node's deletion is on its way when this returns. Does nothing if it is none. */
    synchronized void leave() {
        Candidacy was = candidacy;
        candidacy = null;
        if (was != null) {
            was.stop();
        }
    }

    boolean joined() {
        return candidacy != null;
    }

    /** The own latch node, if the latch says it leads and the node is not known to be gone. */
    Optional<String> held() {
        Candidacy now = candidacy;
        return now == null ? Optional.empty() : now.held();
    }

    /**
     * Looks after the latch: follows its node, recycles it where need be. To be called often.
     *
     * @return why it was recycled, or empty
     */
    Optional<String> tend() {
        Candidacy now = candidacy;
        if (now == null) {
            return Optional.empty();
        }
        now.follow();
        Optional<String> useless = now.useless();
        if (useless.isPresent()) {
            join(now.session);
        } else {
            now.sweep();
        }
        return useless;
    }

    /** One latch, from its start to its end. */
    private final class Candidacy {
        private final Session session;
        private final LeaderLatch latch;
        private final Set<String> othersNodes = ConcurrentHashMap.newKeySet();
        private final Set<String> strays = ConcurrentHashMap.newKeySet();
        private volatile String watched = "";
        private volatile String gone = "";
        private volatile long nodeSeenNanos = time.nanoTime();
        private long sweptNanos = time.nanoTime();

        private Candidacy(Session session) {
            this.session = session;
            this.latch = new LeaderLatch(curator, path, id, LeaderLatch.CloseMode.NOTIFY_LEADER);
        }

        private void start() {
            // Two listeners. The first runs on the latch's own thread, inside its monitor: it flips the gate, no more.
            // The
            // other hands the event to our thread, which may take its time.
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    // Nothing to close.
                }

                @Override
                public void notLeader() {
                    whenLost.accept("the latch reports the lead as lost");
                }
            });
            latch.addListener(
                    new LeaderLatchListener() {
                        @Override
                        public void isLeader() {
                            poke.run();
                        }

                        @Override
                        public void notLeader() {
                            poke.run();
                        }
                    },
                    events);
            try {
                latch.start();
            } catch (Exception e) {
                // Found useless after a session timeout, and recycled.
                log.error("The latch at {} could not be started; it is tried again", path, e);
            }
        }

        private void stop() {
            try {
                if (latch.getState() == LeaderLatch.State.STARTED) {
                    latch.close();
                }
            } catch (IOException | IllegalStateException e) {
                log.warn("Closing the latch failed; its node goes with the session, or is swept", e);
            }
        }

        private Optional<String> held() {
            String node = latch.getOurPath();
            // Both paths are read: after a reset inside the latch they differ until it is confirmed anew.
            return node != null
                            && latch.hasLeadership()
                            && node.equals(latch.getLastPathIsLeader())
                            && !node.equals(gone)
                    ? Optional.of(node)
                    : Optional.empty();
        }

        /** Watches the node the latch has now. */
        private void follow() {
            String node = latch.getOurPath();
            if (node == null) {
                return;
            }
            nodeSeenNanos = time.nanoTime();
            if (!node.equals(watched)) {
                watched = node;
                watch(node);
            }
        }

        private void watch(String node) {
            CompletableFuture<ReadResult<Stat>> there = session.exists(node, event -> {
                if (event.getType() == EventType.NodeDeleted) {
                    lostNode(node, "was deleted");
                } else if (event.getType() == EventType.NodeDataChanged) {
                    watch(node);
                }
            });
            Async.then(there, "watching the own latch node", read -> judge(node, read));
        }

        private void judge(String node, ReadResult<Stat> read) {
            if (read instanceof ReadResult.Missing<Stat>) {
                lostNode(node, "is gone");
            } else if (read instanceof Found<Stat> found && found.value().getEphemeralOwner() != session.id()) {
                lostNode(node, "belongs to another session");
            } else if (read instanceof ReadResult.Failed<Stat> && node.equals(watched)) {
                // No watch was set: try again at the next look.
                watched = "";
            }
        }

        private void lostNode(String node, String how) {
            // A latch that resets itself deletes its old node: that is its own doing, and it has forgotten the path by
            // then.
            if (candidacy == this && node.equals(latch.getOurPath())) {
                gone = node;
                whenLost.accept("the own latch node " + ZNodes.nameOf(node) + " " + how);
                poke.run();
            }
        }

        private Optional<String> useless() {
            String node = latch.getOurPath();
            if (node != null && node.equals(gone)) {
                return Optional.of("its node " + ZNodes.nameOf(node) + " is gone");
            }
            if (!session.connected()) {
                nodeSeenNanos = time.nanoTime();
                return Optional.empty();
            }
            return node == null
                            && time.nanoTime() - nodeSeenNanos
                                    > session.timeout().toNanos()
                    ? Optional.of("it got no node under " + path + " for "
                            + session.timeout().toMillis() + " ms (if this goes on: is creating there permitted?)")
                    : Optional.empty();
        }

        /**
         * Once a session timeout: deletes nodes of this session that are not this latch's. A latch closed while its creation
         * was under way can leave one, and it would block all candidates behind it as long as the session lives.
         */
        private void sweep() {
            String node = latch.getOurPath();
            if (node == null || time.nanoTime() - sweptNanos < session.timeout().toNanos()) {
                return;
            }
            sweptNanos = time.nanoTime();
            Async.then(session.children(path), "sweeping the latch", read -> {
                if (read instanceof Found<List<String>> found) {
                    othersNodes.retainAll(found.value());
                    Set<String> unknown = new HashSet<>(found.value());
                    unknown.removeAll(othersNodes);
                    unknown.remove(ZNodes.nameOf(node));
                    unknown.forEach(name -> examine(node, name));
                }
            });
        }

        private void examine(String node, String name) {
            String suspect = path + '/' + name;
            Async.then(session.exists(suspect), "sweeping the latch", read -> {
                if (!(read instanceof Found<Stat> found)) {
                    return;
                }
                if (found.value().getEphemeralOwner() != session.id()) {
                    othersNodes.add(name);
                } else if (candidacy == this && node.equals(latch.getOurPath()) && !strays.add(name)) {
                    // Seen twice, a session timeout apart, beside the latch's own: no creation is under way any more.
                    log.warn("Deleting {}: a latch node of this session that no latch of ours answers for", suspect);
                    Async.then(
                            session.commit(new Transaction().delete(suspect, Transaction.ANY_VERSION)),
                            "sweeping the latch",
                            result -> log.info(
                                    "{} is {}", suspect, result.isCommitted() ? "deleted" : "not deleted: " + result));
                }
            });
        }
    }
}
