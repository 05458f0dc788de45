/**
 * The fault drill: a ZooKeeper ensemble and instances of this distribution, each a process of its own, faults drawn from a
 * seed, and checks of what the jobs wrote against what was due. It looks at the service as an operator can, through its
 * command line, its znodes and its jobs' run log, and knows nothing of its insides; no switch in the service is made for it.
 *
 * <p>Everything runs on one machine, so one clock stamps all: instants of different processes are compared as they are.
 */
@NullMarked
package io.latchkey.drill;

import org.jspecify.annotations.NullMarked;
