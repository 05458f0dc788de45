package io.latchkey.drill;

import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ZooKeeper's own server, which ends when the drill is gone, however that went. A program of its own. */
public final class EnsembleServer {
    private static final Logger log = LoggerFactory.getLogger(EnsembleServer.class);

    private EnsembleServer() {}

    /**
     * Runs a server until it is killed.
     *
     * @param args path of the server's configuration file
     */
    public static void main(String[] args) {
        new Threads(new Faults()).start("parent-watch", EnsembleServer::endWithParent);
        QuorumPeerMain.main(args);
    }

    private static void endWithParent() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            log.debug("Standard input failed; taken as its end", e);
        }
        Runtime.getRuntime().halt(1);
    }
}
