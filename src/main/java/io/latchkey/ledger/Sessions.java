package io.latchkey.ledger;

import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.Session;

/** Where the present session is to be had. */
@FunctionalInterface
public interface Sessions {
    /**
     * The session there is now.
     *
     * @throws NotConnectedException when there is none
     */
    Session current() throws NotConnectedException;
}
