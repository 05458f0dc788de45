package io.latchkey.cli;

import io.latchkey.conf.Suggestions;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.zookeeper.ZNodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** Tells a root that some instance made from a place that was mistyped, and finds the roots beside it. */
final class Roots {
    /** Enough to find a typo by; a node with thousands of children is no place of roots. */
    private static final int MOST_LOOKED_AT = 200;

    private final ZooKeeper zookeeper;
    private final String connect;

    Roots(EnsembleConnection connection) {
        this.zookeeper = connection.zookeeper();
        this.connect = connection.connect();
    }

    /**
     * Makes sure that an instance was ever here.
     *
     * @throws CliException with exit code 1 if none was, naming the roots there are; with 3 if it cannot be told
     */
    void require(ZNodes nodes) throws CliException, InterruptedException {
        try {
            if (!isRoot(nodes.root())) {
                throw new CliException(ExitCode.NO, missing(nodes.root()));
            }
        } catch (KeeperException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE, "ZooKeeper at " + connect + " does not answer: " + e.getMessage(), e);
        }
    }

    private String missing(String root) throws KeeperException, InterruptedException {
        List<String> beside = beside(root);
        String remedy = beside.isEmpty()
                ? "no instance has joined there yet, or zookeeper.root is another"
                : "there is one under " + String.join(", ", beside) + "; "
                        + Suggestions.didYouMean(root, beside, "set zookeeper.root to the one you mean");
        return "ZooKeeper at " + connect + " has no Latchkey under " + root + ": " + Printable.text(remedy);
    }

    private List<String> beside(String root) throws KeeperException, InterruptedException {
        String parent = ZNodes.parentOf(root);
        List<String> names = new ArrayList<>(children(parent));
        Collections.sort(names);
        List<String> found = new ArrayList<>();
        for (String name : names.subList(0, Math.min(names.size(), MOST_LOOKED_AT))) {
            String path = (parent.equals("/") ? "" : parent) + "/" + name;
            if (!path.equals("/zookeeper") && isRoot(path)) {
                found.add(path);
            }
        }
        return found;
    }

    private boolean isRoot(String path) throws KeeperException, InterruptedException {
        ZNodes nodes = new ZNodes(path);
        Set<String> made = new TreeSet<>();
        for (String fixed : List.of(nodes.latch(), nodes.instances(), nodes.leader(), nodes.triggers())) {
            made.add(ZNodes.nameOf(fixed));
        }
        made.retainAll(children(path));
        return !made.isEmpty();
    }

    /** What is missing, or not ours to read, has none. */
    private List<String> children(String path) throws KeeperException, InterruptedException {
        try {
            return zookeeper.getChildren(path, false);
        } catch (KeeperException.NoNodeException | KeeperException.NoAuthException e) {
            return List.of();
        }
    }
}
