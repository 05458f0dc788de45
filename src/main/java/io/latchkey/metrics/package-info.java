/**
 * What an instance counts and measures, for Prometheus. The one package that knows Micrometer: the parts that are measured
 * tell small listeners of their own, or are asked.
 *
 * <p>Nothing here is on the way of a claim: what is told is counted in memory. A scrape reads memory alone, so it is
 * answered while ZooKeeper is out of reach; who leads elsewhere is looked at once a second, on a thread of its own.
 */
@NullMarked
package io.latchkey.metrics;

import org.jspecify.annotations.NullMarked;
