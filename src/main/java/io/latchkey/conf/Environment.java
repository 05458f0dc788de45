package io.latchkey.conf;

import java.util.Set;
import java.util.regex.Pattern;

/** Variables that begin like settings and are none. */
final class Environment {
    /** Longest part of the host name that goes into a default instance id. */
    static final int MAX_HOST = 80;

    /** Read by the launcher script. */
    private static final Set<String> LAUNCHER = Set.of(
            "LATCHKEY_HOME",
            "LATCHKEY_CONF",
            "LATCHKEY_OPTS",
            "LATCHKEY_HEAP",
            "LATCHKEY_JAVA",
            "LATCHKEY_PID_FILE",
            "LATCHKEY_PID_DIR",
            "LATCHKEY_STDOUT",
            "LATCHKEY_VERSION",
            "LATCHKEY_DEBUG");

    /**
     * What Kubernetes and Docker put into every container beside a service called "latchkey". Refusing to start over
     * these would make the most natural name for a service one that cannot be used.
     */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "LATCHKEY_(.+_)?(SERVICE_(HOST|PORT)(_.+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private static final Pattern LINK_VALUE = Pattern.compile("((tcp|udp|sctp)://.*)|(tcp|udp|sctp)|\\d+|[0-9a-f.:]+");

    private Environment() {}

    static boolean isNoSetting(String name, String value) {
        if (LAUNCHER.contains(name)) {
            return true;
        }
        return SERVICE_LINK.matcher(name).matches()
                && Key.ofVariable(name).isEmpty()
                && LINK_VALUE.matcher(value).matches();
    }
}
