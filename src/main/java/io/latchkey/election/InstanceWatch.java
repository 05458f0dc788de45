package io.latchkey.election;

import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches who is there, for one term, and tells who went. An instance that went and came back at once is told too: it is
 * known by its session, not by its id.
 *
 * <p>Reads on ZooKeeper's event thread, never blocks it. If a read fails the connection is gone, and the term with it.
 */
final class InstanceWatch {
    private static final Logger log = LoggerFactory.getLogger(InstanceWatch.class);

    private final Session session;
    private final ZNodes nodes;
    private final BiConsumer<String, String> gone;
    private volatile boolean stopped;
    private Map<String, Long> present = Map.of();

    /** @param gone told the id and the incarnation, on ZooKeeper's event thread; must return at once */
    InstanceWatch(Session session, ZNodes nodes, BiConsumer<String, String> gone) {
        this.session = session;
        this.nodes = nodes;
        this.gone = gone;
    }

    void start() {
        look();
    }

    void stop() {
        stopped = true;
    }

    private void look() {
        if (stopped) {
            return;
        }
        CompletableFuture<ReadResult<List<String>>> names = session.children(nodes.instances(), event -> {
            if (event.getType() != EventType.None) {
                look();
            }
        });
        Async.then(names, "listing the instances", read -> {
            if (read instanceof Found<List<String>> found) {
                identify(found.value());
            } else {
                log.debug("Cannot list the instances: {}", read);
            }
        });
    }

    private void identify(List<String> names) {
        Map<String, Long> owners = new HashMap<>();
        Map<String, CompletableFuture<ReadResult<Stat>>> reads = new HashMap<>();
        names.forEach(name -> reads.put(name, session.exists(nodes.instances() + '/' + name)));
        // Answers come on the one event thread, in order: a later look compares with what an earlier one found.
        CompletableFuture<Void> all = CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new));
        Async.then(all, "reading whose the instance nodes are", nothing -> {
            for (Map.Entry<String, CompletableFuture<ReadResult<Stat>>> entry : reads.entrySet()) {
                ReadResult<Stat> read = entry.getValue().join();
                if (read instanceof ReadResult.Failed<Stat>) {
                    log.debug("Cannot tell whose {} is: the connection went", read.path());
                    return;
                }
                if (read instanceof Found<Stat> found) {
                    owners.put(entry.getKey(), found.value().getEphemeralOwner());
                }
            }
            compare(owners);
        });
    }

    private void compare(Map<String, Long> now) {
        present.forEach((name, owner) -> {
            if (!owner.equals(now.get(name)) && !stopped) {
                gone.accept(idOf(name), "0x" + Long.toHexString(owner).toLowerCase(Locale.ROOT));
            }
        });
        present = now;
    }

    private static String idOf(String name) {
        try {
            return ZNodes.decode(name);
        } catch (IllegalArgumentException e) {
            log.debug("{} is no instance of ours", name, e);
            return name;
        }
    }
}
