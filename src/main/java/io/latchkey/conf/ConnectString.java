package io.latchkey.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A checked {@code zookeeper.connect}: servers and an optional chroot. ZooKeeper's own parser takes some mistakes in
 * silence (semicolons become part of a host name, a chroot after the first of several servers swallows the others), so
 * this one is stricter.
 *
 * @param hosts the servers, in order; empty only for {@link #EMBEDDED}
 * @param chroot empty, or a path with a leading slash and no trailing one
 */
public record ConnectString(List<Host> hosts, String chroot) {
    /** The word that asks for a server in this process. It has no address until that server runs. */
    public static final ConnectString EMBEDDED = new ConnectString(List.of(), "");

    private static final int DEFAULT_PORT = 2181;
    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://");
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_]([\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_.])?");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[\\w.-]+)?");

    /** One server; {@code name} is a host name or an address, one of version 6 without its brackets. */
    public record Host(String name, int port) {
        @Override
        public String toString() {
            return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
        }
    }

    public ConnectString {
        hosts = List.copyOf(hosts);
    }

    /**
     * Reads a connect string. Space around servers and commas is ignored, a trailing comma or slash dropped, and a
     * missing port is 2181.
     *
     * @throws IllegalArgumentException with a message for the user that names the bad part and says what to write; it
     *     never repeats a user name or password that somebody put there
     */
    public static ConnectString parse(String text) {
        String all = text.strip();
        if (all.isEmpty()) {
            throw new IllegalArgumentException("is empty: write host:port,host:port/chroot, or embedded");
        }
        if (all.equals("embedded")) {
            return EMBEDDED;
        }
        if (all.contains("@")) {
            throw new IllegalArgumentException(
                    "holds a user name (\"@\"): write servers only, and put credentials into zookeeper.auth-file");
        }
        var scheme = SCHEME.matcher(all);
        if (scheme.find()) {
            throw new IllegalArgumentException("starts with \"" + scheme.group() + "\": leave that out and write \""
                    + all.substring(scheme.end()) + "\"");
        }
        if (all.contains(";")) {
            throw new IllegalArgumentException(
                    "holds \";\": use commas between servers, \"" + all.replace(';', ',') + "\"");
        }
        int slash = all.indexOf('/');
        String servers = slash < 0 ? all : all.substring(0, slash);
        return new ConnectString(parseHosts(servers), slash < 0 ? "" : parseChroot(all.substring(slash)));
    }

    private static List<Host> parseHosts(String servers) {
        List<Host> hosts = new ArrayList<>();
        String[] parts = servers.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i].strip();
            boolean trailing = i == parts.length - 1 && i > 0;
            if (part.isEmpty() && trailing) {
                continue;
            }
            if (part.isEmpty()) {
                throw new IllegalArgumentException("has no server before "
                        + (parts.length == 1 ? "its chroot" : "a comma") + ": write host:port,host:port/chroot");
            }
            Host host = parseHost(part);
            if (hosts.contains(host)) {
                throw new IllegalArgumentException("names " + host + " twice: remove one");
            }
            hosts.add(host);
        }
        return hosts;
    }

    private static Host parseHost(String part) {
        if (part.equalsIgnoreCase("embedded")) {
            throw new IllegalArgumentException("holds the word \"" + part
                    + "\" among other things: write embedded alone, in small letters, or the servers of an ensemble");
        }
        if (part.startsWith("[")) {
            int end = part.indexOf(']');
            String rest = end < 0 ? "" : part.substring(end + 1);
            String address = end < 0 ? "" : part.substring(1, end);
            if (!IPV6.matcher(address).matches() || !(rest.isEmpty() || rest.startsWith(":"))) {
                throw new IllegalArgumentException(
                        "holds \"" + part + "\", which is no address of IP version 6: write [address]:port");
            }
            return new Host(address, rest.isEmpty() ? DEFAULT_PORT : parsePort(part, rest.substring(1)));
        }
        int colon = part.indexOf(':');
        if (colon != part.lastIndexOf(':')) {
            throw new IllegalArgumentException("holds \"" + part
                    + "\" with several colons: separate servers by commas, and write an address of IP version 6 in"
                    + " brackets, [address]:port");
        }
        String name = colon < 0 ? part : part.substring(0, colon);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "holds \"" + part + "\", which is no host name: write host:port, separated by commas");
        }
        return new Host(name, colon < 0 ? DEFAULT_PORT : parsePort(part, part.substring(colon + 1)));
    }

    private static int parsePort(String part, String port) {
        if (port.matches("\\d{1,5}")) {
            int number = Integer.parseInt(port);
            if (number >= 1 && number <= 65_535) {
                return number;
            }
        }
        throw new IllegalArgumentException(
                "holds \"" + part + "\" with the port \"" + port + "\": a port is a number from 1 to 65535");
    }

    private static String parseChroot(String text) {
        int comma = text.indexOf(',');
        if (comma >= 0) {
            String chroot = text.substring(0, comma);
            throw new IllegalArgumentException("has a server after the chroot \"" + chroot
                    + "\": write the chroot only once, at the end, host:port,host:port" + chroot);
        }
        String path = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        if (!path.isEmpty()) {
            Names.pathProblem(path).ifPresent(problem -> {
                throw new IllegalArgumentException("has the chroot \"" + path + "\", which " + problem);
            });
        }
        return path;
    }

    /** The form ZooKeeper's client takes, or {@code embedded}. */
    @Override
    public String toString() {
        return hosts.isEmpty()
                ? "embedded"
                : hosts.stream().map(Host::toString).collect(Collectors.joining(",")) + chroot;
    }
}
