package io.latchkey.zookeeper;

import io.latchkey.conf.ConnectString;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commonest reason for no connection: a host name that is misspelt, or that this machine cannot resolve. */
public final class UnknownHosts {
    private static final Logger log = LoggerFactory.getLogger(UnknownHosts.class);

    private UnknownHosts() {}

    /** The hosts whose names this machine cannot resolve now. Asks the name service, which may take a while. */
    public static List<String> of(ConnectString connect) {
        List<String> unknown = new ArrayList<>();
        for (ConnectString.Host host : connect.hosts()) {
            try {
                InetAddress.getByName(host.name());
            } catch (UnknownHostException e) {
                log.debug("Unknown host {}", host.name(), e);
                unknown.add(host.name());
            }
        }
        return unknown;
    }

    /** Such as {@code ": zk9 is not known to this machine"}, to be put into a message; empty if all are known. */
    public static String described(ConnectString connect) {
        List<String> unknown = of(connect);
        return unknown.isEmpty()
                ? ""
                : ": " + String.join(", ", unknown) + (unknown.size() == 1 ? " is" : " are")
                        + " not known to this machine";
    }
}
