/**
 * The console: what an instance serves over HTTP. Every instance tells the same, for all of it comes from ZooKeeper.
 *
 * <p>Nothing here is on the way of a fire or of a change of leader: requests are answered from what was read before, at
 * most once a second and only while somebody asks ({@link io.latchkey.console.Cached}); while ZooKeeper is out of reach
 * they are answered from the last that was read, which says how old it is. What an operator asks for becomes a request in
 * ZooKeeper, which the leader answers, whoever that is.
 *
 * <p>What this package does <b>not</b> do: decide who may read. It listens to this machine alone unless told otherwise;
 * whoever can reach it can read, and only who has a token can act.
 */
@NullMarked
package io.latchkey.console;

import org.jspecify.annotations.NullMarked;
