package io.latchkey.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;

/** As many records as the limits allow. */
@Tag("slow")
class ManyRecordsTest {

    @Test
    void tenThousandRunningRecordsAreLoadedAndFolded() throws Exception {
        try (LedgerFixture fixture = new LedgerFixture()) {
            ZooKeeperClient client = fixture.zookeeper.client();
            ZooKeeperFireLedger ledger = fixture.ledger(client);
            ledger.open(fixture.takeTerm(client, "one")).load();
            write(fixture, client.session());
            TermLedger next = ledger.open(fixture.takeTerm(client, "one"));
            LedgerState state = next.load();
            assertThat(state.running()).hasSize(10_000);
            assertThat(next.claim(List.of(new ClaimRequest.Requested(
                                    Request.trigger(Fires.JOB, Map.of(), "test", Fires.NOON)
                                            .named("request-1"),
                                    Fires.PLAIN)))
                            .get(0))
                    .isInstanceOf(ClaimResult.Refused.class);
            next.fold();
            assertThat(next.running()).isEmpty();
            LedgerReader reader = new LedgerReader(fixture.nodes, client.session());
            assertThat(reader.jobs())
                    .hasSize(20)
                    .allSatisfy(job -> assertThat(reader.history(job.job())).hasSize(50));
        }
    }

    /** Finished fires of twenty jobs. */
    private static void write(LedgerFixture fixture, Session session) throws Exception {
        List<CompletableFuture<?>> sent = new ArrayList<>();
        Attempt attempt = new Attempt(1, new Owner("gone", "0x1", 1, 1), "n", Fires.NOON);
        for (int i = 0; i < 200; i++) {
            Transaction batch = new Transaction();
            for (int k = 0; k < 50; k++) {
                FireId id = new FireId(Fires.trigger("t" + i), Fires.slot(k));
                RunningRecord record = RunningRecord.claimed(
                                id, new JobKey("job" + i % 20, "ops"), Fires.PLAIN, attempt)
                        .done(Fires.succeeded());
                batch.create(fixture.running(id), LedgerJson.write(record));
            }
            sent.add(session.commit(batch));
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    }
}
