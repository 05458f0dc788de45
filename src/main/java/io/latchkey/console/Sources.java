package io.latchkey.console;

import io.latchkey.jobs.JobCatalog;
import io.latchkey.ledger.Sessions;
import io.latchkey.metrics.Metrics;
import io.latchkey.zookeeper.ZNodes;
import java.util.function.Supplier;

/**
 * What a console tells of.
 *
 * @param self the instance it belongs to
 * @param nodes where things are
 * @param sessions the session to read and to file requests on, of the moment
 * @param catalog the configuration in force
 * @param connect what the sessions are connected to, as people know it
 * @param embedded whether that is an embedded server
 * @param metrics what the instance counts
 */
public record Sources(
        Self self,
        ZNodes nodes,
        Sessions sessions,
        Supplier<JobCatalog> catalog,
        String connect,
        boolean embedded,
        Metrics metrics) {}
