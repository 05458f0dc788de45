package io.latchkey.drill;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How busy this machine is: what takes a second on an idle one takes longer where many want the processors. */
final class Busy {
    private static final double MOST = 4;

    private Busy() {}

    /** Load by processor over the last minute: 1 where there is enough for all, 4 at most. */
    static double factor() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return Math.min(MOST, Math.max(1, system.getSystemLoadAverage() / system.getAvailableProcessors()));
    }
}
