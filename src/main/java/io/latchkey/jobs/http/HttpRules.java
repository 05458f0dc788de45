package io.latchkey.jobs.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What may be in a request. */
final class HttpRules {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    /** Printable ASCII and tabs. */
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e\\t]*");
    /** Those the client sets itself. */
    private static final Set<String> THE_CLIENTS =
            Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding");

    private HttpRules() {}

    static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    static boolean isValue(String text) {
        return VALUE.matcher(text).matches();
    }

    static boolean isTheClients(String header) {
        return THE_CLIENTS.contains(header.toLowerCase(Locale.ROOT));
    }

    static boolean isTheFires(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        return name.startsWith("latchkey-") || name.equalsIgnoreCase(FireHeaders.IDEMPOTENCY_KEY);
    }

    /** Why a URL cannot be called, as the end of a sentence that does not show it; null if it can. */
    static @Nullable String wrongWith(URI uri) {
        String scheme = uri.getScheme();
        if (scheme == null || !(scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))) {
            return "does not begin with http:// or https://";
        }
        if (uri.getHost() == null) {
            return "names no host";
        }
        if (uri.getRawUserInfo() != null) {
            return "has a login in it, which every log on the way would show";
        }
        return null;
    }

    /** Whether two URLs lead to one host and port; the way from http to https on their usual ports is no other host. */
    static boolean sameHost(URI a, URI b) {
        if (!String.valueOf(a.getHost()).equalsIgnoreCase(String.valueOf(b.getHost()))) {
            return false;
        }
        return port(a) == port(b) || (port(a) == 80 && port(b) == 443);
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    }
}
