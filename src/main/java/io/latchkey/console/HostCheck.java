package io.latchkey.console;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Optional;

/**
 * Keeps web sites out that had a name of theirs point at this machine's loopback address (DNS rebinding): who listens there
 * alone is only ever called localhost, or by a loopback address. And whatever the address, an action that a browser sends
 * for a page must be for a page of this very console.
 */
final class HostCheck {
    private final boolean loopback;

    HostCheck(InetSocketAddress bound) {
        InetAddress address = bound.getAddress();
        this.loopback = address != null && address.isLoopbackAddress();
    }

    /** Why the request must not be answered; empty if it may. */
    Optional<Problem> refusal(Optional<String> host, Optional<String> origin) {
        if (loopback && !host.map(HostCheck::isLoopback).orElse(false)) {
            return Optional.of(new Problem(
                    421,
                    "Misdirected request",
                    "this console listens on the loopback address alone, and is not known by the name it was asked by",
                    "ask for localhost or 127.0.0.1"));
        }
        if (origin.isPresent() && !ownOrigin(origin.get(), host.orElse(""))) {
            return Optional.of(new Problem(
                    403, "Forbidden", "the request comes from a page of another site", "use this console's own page"));
        }
        return Optional.empty();
    }

    private static boolean ownOrigin(String origin, String host) {
        int scheme = origin.indexOf("://");
        return scheme > 0 && origin.substring(scheme + 3).equalsIgnoreCase(host);
    }

    private static boolean isLoopback(String host) {
        String name = host.startsWith("[")
                ? host.substring(1, Math.max(1, host.indexOf(']')))
                : host.contains(":") ? host.substring(0, host.indexOf(':')) : host;
        return name.toLowerCase(Locale.ROOT).equals("localhost")
                || name.equals("::1")
                || name.matches("127(\\.\\d{1,3}){3}");
    }
}
