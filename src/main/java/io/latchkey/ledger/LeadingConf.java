package io.latchkey.ledger;

import io.latchkey.election.Term;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps on record which configuration leads, under the term's fence, and says when a leader comes with an older one than the
 * leader before it had.
 */
public final class LeadingConf {
    private static final Logger log = LoggerFactory.getLogger(LeadingConf.class);

    private final ZNodes nodes;
    private final Clock clock;

    public LeadingConf(ZNodes nodes, Clock clock) {
        this.nodes = nodes;
        this.clock = clock;
    }

    /**
     * Puts on record that {@code term} runs {@code conf}. Blocks.
     *
     * @param reloaded whether the term ran another before: whoever reloads a leader means what its files say
     * @return whether that is on record now; if not it is to be tried again while the term lasts
     * @throws LedgerException when ZooKeeper does not answer
     */
    public boolean record(Term term, String conf, boolean reloaded) throws LedgerException {
        Reads reads = new Reads(term.session());
        Optional<Found<byte[]>> found = reads.get(nodes.confs());
        ConfsLed before = found.map(this::read).orElse(ConfsLed.NONE);
        ConfsLed.Led last = before.last().orElse(null);
        if (last != null && last.conf().equals(conf)) {
            return true;
        }
        ConfsLed now = before.then(conf, clock.instant().truncatedTo(ChronoUnit.MILLIS), term.instanceId(), reloaded);
        byte[] data = LedgerJson.write(now);
        Transaction write = found.isPresent()
                ? term.fenced().set(nodes.confs(), data, found.get().version())
                : term.fenced().create(nodes.confs(), data);
        TxResult result = reads.await(term.session().commit(write), "the configuration that leads");
        if (!result.isCommitted()) {
            log.debug("Not on record that {} leads: {}", conf, result);
            return false;
        }
        String backFrom = now.last().map(ConfsLed.Led::backFrom).orElse(null);
        if (last != null && backFrom != null) {
            log.warn(
                    "This leader runs conf {}, which led before and was replaced: {} led since {} (first on \"{}\")."
                            + " The configuration went back. If nobody meant that, bring this host to the conf of the"
                            + " others and run: bin/latchkey reload",
                    conf,
                    backFrom,
                    last.since(),
                    last.instance());
        } else if (last != null) {
            log.info("Conf {} leads now, after {} since {}", conf, last.conf(), last.since());
        }
        return true;
    }

    private ConfsLed read(Found<byte[]> found) {
        try {
            return LedgerJson.read(found.value(), ConfsLed.class, nodes.confs());
        } catch (IllegalArgumentException | io.latchkey.zookeeper.FormatTooNewException e) {
            log.warn("What is at {} cannot be read; it begins anew: {}", nodes.confs(), e.getMessage());
            return ConfsLed.NONE;
        }
    }
}
