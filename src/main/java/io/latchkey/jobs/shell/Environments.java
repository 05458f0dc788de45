package io.latchkey.jobs.shell;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What a program sees of the service's environment: little, since a service's environment is where its secrets are. */
public final class Environments {
    /** Handed down if the service has them, and every {@code LC_…}. */
    public static final Set<String> INHERITED =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR");

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private Environments() {}

    /** The whole environment of a command. */
    static Map<String, String> of(Command command, Map<String, String> service) {
        Map<String, String> all = new HashMap<>();
        all.put("PATH", PATH);
        service.forEach((name, value) -> {
            if (INHERITED.contains(name)
                    || name.startsWith("LC_")
                    || command.inherited().contains(name)) {
                all.put(name, value);
            }
        });
        all.putAll(command.environment());
        return all;
    }
}
