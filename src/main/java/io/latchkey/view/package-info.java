/**
 * The cluster and its ledger as people and programs are shown them: the records behind the commands' {@code --json} and
 * the console's API, and what reads them from ZooKeeper. Knows nothing of terminals or HTTP; needs no leader, and writes
 * nothing. Shared by {@code cli} and {@code console}, so that the two cannot tell different stories.
 */
@NullMarked
package io.latchkey.view;

import org.jspecify.annotations.NullMarked;
