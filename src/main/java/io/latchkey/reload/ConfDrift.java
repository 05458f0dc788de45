package io.latchkey.reload;

import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Sessions;
import io.latchkey.view.ClusterReader;
import io.latchkey.view.ClusterView;
import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.ZNodes;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the instances' configurations against each other. A difference is said once when it has lasted, and once when it is
 * over: while hosts are changed one after the other they differ for a moment. One thread looks, any may ask.
 */
public final class ConfDrift {
    private static final Logger log = LoggerFactory.getLogger(ConfDrift.class);

    private final ZNodes nodes;
    private final Sessions sessions;
    private volatile int differing;
    private String seen = "";
    private boolean said;

    public ConfDrift(ZNodes nodes, Sessions sessions) {
        this.nodes = nodes;
        this.sessions = sessions;
    }

    /** How many instances have other jobs than the leader, or than most where nobody leads, as last looked at. */
    public int differing() {
        return differing;
    }

    /** Looks. Blocks; returns what it saw, or nothing where ZooKeeper does not answer. */
    Optional<ClusterView> look() {
        try {
            ClusterView view = new ClusterReader(nodes, sessions.current(), "", false).read();
            look(view);
            return Optional.of(view);
        } catch (NotConnectedException | LedgerException e) {
            log.debug("The instances' configurations cannot be compared now", e);
            return Optional.empty();
        }
    }

    private void look(ClusterView view) {
        differing = view.confDiffers().size();
        String now = view.confDrift().orElse("");
        if (now.isEmpty() && said) {
            said = false;
            log.info("The instances' jobs are the same again");
        } else if (!now.isEmpty() && !said && now.equals(seen)) {
            said = true;
            log.warn("{}", now);
        }
        seen = now;
    }
}
