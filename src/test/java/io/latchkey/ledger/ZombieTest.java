package io.latchkey.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.election.Term;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A leader that was held back and does not know that another has taken over. */
@Tag("slow")
class ZombieTest {
    private static final int CHANGES = 25;
    private static final int TRIES = 45;

    private LedgerFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = new LedgerFixture();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void claimsOfAnOldTermAreRefusedEveryTime() throws Exception {
        assertThat(slippedThrough(FencedWriter::new)).isZero();
    }

    /** The same without the check of {@code /leader}: if this finds nothing, the test above proves nothing. */
    @Test
    void withoutTheFenceTheSameClaimsSlipThrough() throws Exception {
        assertThat(slippedThrough(Unfenced::new)).isEqualTo(CHANGES * TRIES);
    }

    private static final class Unfenced extends FencedWriter {
        private final Term term;

        private Unfenced(Term term) {
            super(term);
            this.term = term;
        }

        @Override
        Transaction fence() {
            return new Transaction().check(term.latchNode(), Transaction.ANY_VERSION);
        }
    }

    /** How many claims of old terms were not refused: over a thousand tries, each after a new term began. */
    private int slippedThrough(Function<Term, FencedWriter> writer) throws Exception {
        ZooKeeperClient one = fixture.zookeeper.client();
        ZooKeeperClient two = fixture.zookeeper.client();
        ZooKeeperFireLedger old = fixture.ledger(one);
        ZooKeeperFireLedger next = fixture.ledger(two);
        int slipped = 0;
        for (int change = 0; change < CHANGES; change++) {
            String name = "t" + change;
            Term term = fixture.takeTerm(one, "one");
            ZooKeeperTermLedger zombie = old.open(term, writer.apply(term));
            zombie.load();
            assertThat(zombie.write(List.of(Fires.put(name)))).isEqualTo(new WriteResult.Written(Map.of()));
            TermLedger successor = next.open(fixture.takeTerm(two, "two"));
            successor.load();
            for (int i = 0; i < TRIES; i++) {
                ClaimResult result = zombie.claim(List.of(Fires.due(name, i))).get(0);
                if (!(result instanceof ClaimResult.Fenced)) {
                    slipped++;
                }
            }
            assertThat(term.gate().isOpen()).isEqualTo(slipped > 0);
            successor.write(List.of(new CursorWrite.Put(Fires.cursor(name), Optional.empty())));
            successor.close();
            zombie.close();
        }
        return slipped;
    }
}
