package io.latchkey.election;

import static io.latchkey.election.Candidate.commit;
import static io.latchkey.election.Candidate.delete;
import static io.latchkey.election.Candidate.eventually;
import static io.latchkey.election.Candidate.exists;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.latchkey.testing.LogCapture;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One election among instances with a connection that works. */
@Tag("slow")
class LeadershipTest {
    private TestZooKeeper zooKeeper;
    private final List<Candidate> candidates = new ArrayList<>();
    private ZooKeeperClient operator;

    @BeforeEach
    void begin() throws Exception {
        zooKeeper = TestZooKeeper.server();
        operator = zooKeeper.client();
    }

    @AfterEach
    void end() throws Exception {
        for (Candidate candidate : candidates) {
            candidate.close();
        }
        zooKeeper.close();
    }

    private Candidate candidate(String id) throws Exception {
        Candidate candidate = new Candidate(id, zooKeeper.client());
        candidates.add(candidate);
        return candidate;
    }

    private InstanceRecord published(String id) throws Exception {
        String path = operator.znodes().instance(id);
        return Json.read(read(path), InstanceRecord.class, InstanceRecord.FORMAT, path);
    }

    private LeaderRecord leader() throws Exception {
        String path = operator.znodes().leader();
        return Json.read(read(path), LeaderRecord.class, LeaderRecord.FORMAT, path);
    }

    private byte[] read(String path) throws Exception {
        return operator.session()
                .get(path)
                .get(30, TimeUnit.SECONDS)
                .found()
                .orElseThrow()
                .value();
    }

    private List<String> latchNodes() throws Exception {
        return operator.session()
                .children(operator.znodes().latch())
                .get(30, TimeUnit.SECONDS)
                .found()
                .map(Found::value)
                .orElse(List.of());
    }

    @Test
    void oneLeadsAndTheNextTakesOverWhenItCloses() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        Term first = a.leadership.term().orElseThrow();
        assertThat(b.worker.led).isEmpty();

        a.close();

        Term second = b.awaitLeading();
        assertThat(second.number()).isEqualTo(first.number() + 1);
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(a.worker.stopped).containsExactly(StopReason.HANDOVER);
        assertThat(a.leadership.role()).isEqualTo(Role.CLOSED);
    }

    @Test
    void operatorsCanReadWhoIsWho() throws Exception {
        Candidate a = candidate("printer/room 4").startAndLead();
        Term term = a.leadership.term().orElseThrow();

        assertThat(new String(read(term.latchNode()), StandardCharsets.UTF_8)).isEqualTo("printer/room 4");
        assertThat(leader().instance()).isEqualTo("printer/room 4");
        assertThat(leader().term()).isEqualTo(term.number());
        assertThat(leader().latchNode()).isEqualTo(term.latchNode());
        eventually().until(() -> published("printer/room 4").role().equals("leading"));
        assertThat(published("printer/room 4").token()).isEqualTo(term.token());
        assertThat(published("printer/room 4").instance().host()).isEqualTo("host-of-printer/room 4");
    }

    @Test
    void handoverTakesAFewRoundTrips() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        eventually().until(() -> latchNodes().size() == 2);
        List<Long> handovers = new ArrayList<>();
        List<Long> roundTrips = new ArrayList<>();
        Candidate leader = a;
        Candidate other = b;
        for (int i = 0; i < 7; i++) {
            Candidate next = other;
            long asked = System.nanoTime();
            assertThat(leader.leadership.resign("a test")).isTrue();
            eventually().pollInterval(1, TimeUnit.MILLISECONDS).until(next::leads);
            handovers.add(System.nanoTime() - asked);
            Session session = operator.session();
            long sent = System.nanoTime();
            for (int trip = 0; trip < 20; trip++) {
                assertThat(commit(
                                        session,
                                        new Transaction().set(operator.znodes().requests(), new byte[0], -1))
                                .isCommitted())
                        .isTrue();
            }
            roundTrips.add((System.nanoTime() - sent) / 20);
            other = leader;
            leader = next;
            Candidate back = other;
            eventually()
                    .until(() -> back.leadership.role() == Role.STANDBY
                            && latchNodes().size() == 2);
        }
        // The best of each: a pause of the machine in one of them says nothing. 50 is far from a tick or a timeout.
        long best = handovers.stream().mapToLong(Long::longValue).min().orElseThrow();
        long trip = Math.max(
                1_000_000, roundTrips.stream().mapToLong(Long::longValue).max().orElseThrow());
        assertThat(best).isLessThan(50 * trip);
    }

    @Test
    void tokenAndNumberRiseOverManyTerms() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        List<Term> terms = new ArrayList<>(List.of(a.leadership.term().orElseThrow()));
        for (int i = 0; i < 10; i++) {
            Candidate leader = i % 2 == 0 ? a : b;
            Candidate next = i % 2 == 0 ? b : a;
            eventually().until(() -> latchNodes().size() == 2);
            assertThat(leader.leadership.resign("a test")).isTrue();
            terms.add(next.awaitLeading());
        }
        for (int i = 1; i < terms.size(); i++) {
            assertThat(terms.get(i).number()).isEqualTo(terms.get(i - 1).number() + 1);
            assertThat(terms.get(i).token()).isGreaterThan(terms.get(i - 1).token());
            assertThat(terms.get(i).gate()).isNotSameAs(terms.get(i - 1).gate());
        }
    }

    @Test
    void tokenRisesAboveTheFloorOfARepairedEnsemble() throws Exception {
        long floor = Long.MAX_VALUE / 2;
        LeaderRecord repaired = LeaderRecord.repaired(41, floor, java.time.Instant.now());
        assertThat(commit(
                                operator.session(),
                                new Transaction().create(operator.znodes().leader(), Json.write(repaired)))
                        .isCommitted())
                .isTrue();
        Candidate a = candidate("a").startAndLead();
        Term first = a.leadership.term().orElseThrow();
        assertThat(first.number()).isEqualTo(42);
        assertThat(first.token()).isGreaterThan(floor);
        a.leadership.resign("a test");
        eventually().until(() -> a.leads() && a.leadership.term().orElseThrow().number() == 43);
        assertThat(a.leadership.term().orElseThrow().token()).isGreaterThan(first.token());
    }

    @Test
    void latchNodeDeletedByHandCostsTheTermAndIsReplacedAtOnce() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Term old = a.leadership.term().orElseThrow();

        long deleted = System.nanoTime();
        delete(operator, old.latchNode());
        eventually().until(() -> old.gate().isClosedForGood());
        eventually().until(() -> latchNodes().size() == 1);
        // One second on a machine with nothing else to do; this one may have.
        assertThat(Duration.ofNanos(System.nanoTime() - deleted)).isLessThan(Duration.ofSeconds(5));

        eventually().until(a::leads);
        Term next = a.leadership.term().orElseThrow();
        assertThat(next.number()).isEqualTo(old.number() + 1);
        assertThat(next.latchNode()).isNotEqualTo(old.latchNode());
        assertThat(commit(old.session(), old.fenced().set(operator.znodes().requests(), new byte[0], -1)))
                .isInstanceOfSatisfying(
                        TxResult.Refused.class,
                        refused -> assertThat(refused.index()).isZero());
    }

    @Test
    void latchNodeDeletedByHandNeverLetsTwoTermsClaim() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        eventually().until(() -> latchNodes().size() == 2);
        Term old = a.leadership.term().orElseThrow();
        delete(operator, old.latchNode());
        Term next = b.awaitLeading();
        assertThat(old.mayStart()).isFalse();
        TxResult late = commit(old.session(), old.fenced().set(operator.znodes().requests(), new byte[0], -1));
        assertThat(late).isInstanceOf(TxResult.Refused.class);
        TxResult fresh =
                commit(next.session(), next.fenced().set(operator.znodes().requests(), new byte[0], -1));
        assertThat(fresh).isInstanceOf(TxResult.Committed.class);
        eventually()
                .until(() -> a.leadership.role() == Role.STANDBY && latchNodes().size() == 2);
    }

    @Test
    void standbysLatchNodeDeletedByHandIsReplaced() throws Exception {
        candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        eventually().until(() -> latchNodes().size() == 2);
        String its = latchNodes().stream()
                .filter(name -> {
                    try {
                        return new String(read(operator.znodes().latch() + '/' + name), StandardCharsets.UTF_8)
                                .equals("b");
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .findFirst()
                .orElseThrow();
        delete(operator, operator.znodes().latch() + '/' + its);
        eventually().until(() -> latchNodes().size() == 2 && !latchNodes().contains(its));
        assertThat(b.leadership.role()).isEqualTo(Role.STANDBY);
    }

    @Test
    void expiredSessionEndsTheTermAndTheInstanceComesBackInANewOne() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        Term old = a.leadership.term().orElseThrow();
        zooKeeper.expire(old.session());
        b.awaitLeading();
        assertThat(old.mayStart()).isFalse();
        eventually().ignoreExceptions().until(() -> published("a").role().equals("standby"));
        assertThat(published("a").incarnation()).isNotEqualTo(old.incarnation());
    }

    @Test
    void ownInstanceNodeDeletedIsTreatedAsALostSession() throws Exception {
        Candidate a = candidate("a").startAndLead();
        a.worker.running = true;
        Term old = a.leadership.term().orElseThrow();
        delete(operator, operator.znodes().instance("a"));
        eventually().until(() -> old.gate().isClosedForGood());
        eventually().until(() -> a.leads() && a.leadership.term().orElseThrow() != old);
        assertThat(a.leadership.term().orElseThrow().incarnation()).isNotEqualTo(old.incarnation());
        assertThat(old.lease().isValid()).isFalse();
        eventually().until(() -> !a.worker.interrupted.isEmpty());
        eventually().until(() -> latchNodes().size() == 1);
    }

    @Test
    void leaderHearsOfEachInstanceThatGoes() throws Exception {
        Candidate a = candidate("a").startAndLead();
        ZooKeeperClient second = zooKeeper.client();
        Candidate b = new Candidate("b", second);
        b.startAndStandBy();
        String incarnation = second.session().incarnation();
        b.close();
        second.close();
        eventually().until(() -> a.worker.gone.contains("b " + incarnation));
    }

    @Test
    void workerThatCannotLeadGivesTheLeadToAnother() throws Exception {
        try (LogCapture log = LogCapture.of(Leadership.class)) {
            Candidate a = candidate("a");
            a.worker.onLead = term -> {
                throw new IllegalStateException("jobs.xml cannot be read");
            };
            a.start();
            eventually().until(() -> a.leadership.role() == Role.BACKING_OFF);
            assertThat(a.leadership.health().healthy()).isFalse();
            Candidate b = candidate("b").start();
            b.awaitLeading();
            assertThat(a.worker.opened).isEmpty();
            assertThat(a.worker.led)
                    .allSatisfy(
                            term -> assertThat(term.gate().isClosedForGood()).isTrue());
            assertThat(a.worker.stopped).containsOnly(StopReason.FAILED).hasSameSizeAs(a.worker.led);
            assertThat(log.messages()).anyMatch(line -> line.contains("jobs.xml cannot be read"));
        }
    }

    @Test
    void anErrorInTheWorkerIsNoDifferent() throws Exception {
        Candidate a = candidate("a");
        a.worker.onLead = term -> {
            throw new NoClassDefFoundError("com/example/Missing");
        };
        a.start();
        eventually().until(() -> a.worker.stopped.contains(StopReason.FAILED));
        a.worker.onLead = term -> {};
        a.awaitLeading();
    }

    @Test
    void workerThatThrowsWhenOpenedOrStoppedIsSurvived() throws Exception {
        Candidate a = candidate("a");
        a.worker.onOpened = term -> {
            if (term.number() == 1) {
                throw new IllegalStateException("thrown on purpose");
            }
        };
        a.worker.onStop = term -> {
            throw new IllegalStateException("thrown on purpose");
        };
        a.start();
        eventually().until(() -> a.leads() && a.leadership.term().orElseThrow().number() > 1);
        assertThat(a.worker.led.get(0).gate().isClosedForGood()).isTrue();
    }

    @Test
    void unhealthyWorkerLosesTheLead() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        a.worker.sick = java.util.Optional.of("its thread is silent while triggers are due");
        b.awaitLeading();
        eventually().until(() -> a.worker.stopped.contains(StopReason.FAILED));
    }

    @Test
    void slowWorkerKeepsItsLeaseMeanwhile() throws Exception {
        Candidate a = candidate("a");
        CountDownLatch enough = new CountDownLatch(1);
        a.worker.onLead = term -> enough.await();
        a.start();
        eventually().until(() -> a.worker.led.size() == 1);
        Term term = a.worker.led.get(0);
        long since = System.nanoTime();
        eventually()
                .until(() -> System.nanoTime() - since
                        > TestZooKeeper.SESSION_TIMEOUT
                                .multipliedBy(3)
                                .dividedBy(2)
                                .toNanos());
        assertThat(term.lease().isValid()).isTrue();
        assertThat(term.gate().isOpen()).isFalse();
        enough.countDown();
        a.awaitLeading();
        assertThat(a.worker.led).hasSize(1);
    }

    @Test
    void stuckWorkerDoesNotKeepTheLatch() throws Exception {
        Candidate a = new Candidate(
                "a",
                zooKeeper.client(),
                new ElectionSettings(Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofSeconds(1)),
                Time.system());
        candidates.add(a);
        CountDownLatch enough = new CountDownLatch(1);
        a.worker.onLead = term -> enough.await();
        a.start();
        eventually().until(() -> a.worker.led.size() == 1);
        Candidate b = candidate("b").start();
        b.awaitLeading();
        assertThat(a.leadership.health().problems()).anyMatch(problem -> problem.contains("stuck"));
        enough.countDown();
        eventually().until(() -> a.worker.stopped.contains(StopReason.FAILED));
        assertThat(a.worker.opened).isEmpty();
    }

    @Test
    void secondInstanceOfTheSameIdIsRefusedAndNamesTheFirst() throws Exception {
        candidate("a").startAndLead();
        ZooKeeperClient other = zooKeeper.client();
        Leadership second = new Leadership(
                other,
                other.znodes(),
                () -> new InstanceInfo("a", "elsewhere", 1, "test", java.time.Instant.EPOCH, "", null),
                new FakeWorker(),
                new io.latchkey.lifecycle.Threads(new io.latchkey.lifecycle.Faults(code -> {})),
                Candidate.QUICK,
                Time.system());
        second.start();
        assertThat(second.ended())
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCauseInstanceOf(DuplicateInstanceException.class)
                .withMessageContaining("host-of-a")
                .withMessageContaining("4711");
        second.close(Duration.ZERO);
        assertThat(latchNodes()).hasSize(1);
    }

    @Test
    void restartedInstanceWaitsForItsEarlierSessionToGo() throws Exception {
        Session ghost = zooKeeper.client().session();
        InstanceRecord record = new InstanceRecord(
                InstanceRecord.FORMAT, Candidate.info("a"), "leading", 1, 1, java.time.Instant.EPOCH, "0x1", null);
        commit(
                ghost,
                new Transaction()
                        .create(
                                operator.znodes().instance("a"),
                                Json.write(record),
                                org.apache.zookeeper.CreateMode.EPHEMERAL));
        Candidate a = candidate("a").start();
        eventually().until(() -> a.leadership.role() == Role.JOINING);
        zooKeeper.expire(ghost);
        a.awaitLeading();
    }

    @Test
    void missingLeaderNodeWithCursorsFailsClosed() throws Exception {
        try (LogCapture log = LogCapture.of(Leadership.class)) {
            commit(
                    operator.session(),
                    new Transaction().create(operator.znodes().triggers("reports"), new byte[0]));
            Candidate a = candidate("a").start();
            eventually().until(() -> a.leadership.role() == Role.BLOCKED);
            assertThat(a.worker.led).isEmpty();
            assertThat(latchNodes()).isEmpty();
            assertThat(log.messages(ch.qos.logback.classic.Level.ERROR))
                    .anyMatch(line -> line.contains("bin/latchkey repair"));
            assertThat(a.leadership.health().problems()).anyMatch(problem -> problem.contains("latchkey repair"));

            commit(
                    operator.session(),
                    new Transaction()
                            .create(
                                    operator.znodes().leader(),
                                    Json.write(LeaderRecord.repaired(7, 99, java.time.Instant.now()))));
            assertThat(a.awaitLeading().number()).isEqualTo(8);
        }
    }

    @Test
    void leaderNodeDeletedDuringATermEndsItAndFailsClosed() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        commit(operator.session(), new Transaction().create(operator.znodes().triggers("reports"), new byte[0]));
        Term old = a.leadership.term().orElseThrow();
        delete(operator, operator.znodes().leader());
        eventually().until(() -> old.gate().isClosedForGood());
        eventually().until(() -> a.leadership.role() == Role.BLOCKED && b.leadership.role() == Role.BLOCKED);
        assertThat(exists(operator, operator.znodes().leader())).isFalse();
    }

    @Test
    void newerFormatOfTheLeaderNodeKeepsAnOlderInstanceOnStandby() throws Exception {
        byte[] newer = "{\"format\":99,\"something\":\"else\"}".getBytes(StandardCharsets.UTF_8);
        commit(operator.session(), new Transaction().create(operator.znodes().leader(), newer));
        Candidate a = candidate("a").start();
        eventually().until(() -> a.leadership.role() == Role.BLOCKED);
        assertThat(a.leadership.health().problems()).anyMatch(problem -> problem.contains("format 99"));
        assertThat(read(operator.znodes().leader())).isEqualTo(newer);
    }

    @Test
    void recordOfANewerVersionKeepsAnInstanceOutOfTheLatchUntilItIsGone() throws Exception {
        Candidate able = candidate("able").startAndLead();
        String cursor = newerCursor();
        try (LogCapture log = LogCapture.of(Leadership.class)) {
            AtomicInteger looks = new AtomicInteger();
            Candidate old = candidate("old");
            old.worker.onInspect = () -> {
                looks.incrementAndGet();
                requireKnown(cursor);
            };
            old.start();
            eventually().until(() -> old.leadership.role() == Role.BLOCKED);
            able.leadership.resign("time passes");
            able.awaitLeading();
            assertThat(latchNodes()).hasSize(1);
            assertThat(old.worker.led).isEmpty();
            assertThat(looks).as("all is looked through once").hasValue(1);
            assertThat(log.messages(ch.qos.logback.classic.Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains(cursor + " is of format 99", "up to 1", "Upgrade this instance", "ledger export")
                    .doesNotContain("Exception", "io.latchkey");
            eventually().until(() -> published("old").role().equals("blocked"));
            assertThat(published("old").trouble()).contains(cursor);

            delete(operator, cursor);
            eventually().until(() -> old.leadership.role() == Role.STANDBY);
            assertThat(old.leadership.record().trouble()).isNull();
        }
    }

    @Test
    void recordOfANewerVersionMetByATermIsMetOnce() throws Exception {
        Candidate a = candidate("a").startAndLead();
        String cursor = newerCursor();
        try (LogCapture log = LogCapture.of(Leadership.class)) {
            a.worker.onLead = term -> requireKnown(cursor);
            a.leadership.resign("so that it meets it");
            eventually().until(() -> a.leadership.role() == Role.BLOCKED);
            assertThat(latchNodes()).isEmpty();
            delete(operator, cursor);
            Term next = a.awaitLeading();
            assertThat(next.number())
                    .as("the second met it, the third found it gone")
                    .isEqualTo(3);

            FormatTooNewException met = catchThrowableOfType(
                    FormatTooNewException.class,
                    () -> Json.requireKnown("{\"format\":99}".getBytes(StandardCharsets.UTF_8), 1, newerCursor()));
            next.forbid(met);
            eventually().until(() -> a.leadership.role() == Role.BLOCKED);
            assertThat(a.worker.led).hasSize(3);
            assertThat(log.messages(ch.qos.logback.classic.Level.ERROR)).hasSize(2);
        }
    }

    private String newerCursor() throws Exception {
        String path = operator.znodes().trigger("reports", "daily");
        operator.curator()
                .create()
                .orSetData()
                .creatingParentsIfNeeded()
                .forPath(path, "{\"format\":99}".getBytes(StandardCharsets.UTF_8));
        return path;
    }

    private void requireKnown(String path) throws Exception {
        if (exists(operator, path)) {
            Json.requireKnown(read(path), 1, path);
        }
    }

    @Test
    void drainingInstanceHandsOverFirstAndKeepsItsLeaseWhileJobsEnd() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Candidate b = candidate("b").startAndStandBy();
        Term old = a.leadership.term().orElseThrow();
        a.worker.running = true;
        Thread closer = new Thread(() -> {
            try {
                a.leadership.close(Duration.ofSeconds(60));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        closer.start();
        b.awaitLeading();
        assertThat(a.leadership.role()).isEqualTo(Role.DRAINING);
        long since = System.nanoTime();
        eventually().until(() -> System.nanoTime() - since > TestZooKeeper.SESSION_TIMEOUT.toNanos());
        assertThat(old.lease().isValid()).isTrue();
        assertThat(exists(operator, operator.znodes().instance("a"))).isTrue();
        assertThat(a.worker.interrupted).isEmpty();
        a.worker.running = false;
        closer.join(30_000);
        assertThat(a.leadership.role()).isEqualTo(Role.CLOSED);
    }

    @Test
    void jobsThatOutlastTheDrainTimeoutAreInterrupted() throws Exception {
        Candidate a = candidate("a").startAndLead();
        a.worker.running = true;
        long asked = System.nanoTime();
        a.leadership.close(Duration.ofMillis(200));
        // Well under the interval at which it says again what it waits for.
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(8));
        assertThat(a.worker.interrupted).anyMatch(why -> why.contains("drain timeout"));
    }

    @Test
    void aLateTermsTransactionIsRefusedAThousandTimes() throws Exception {
        Candidate a = candidate("a").startAndLead();
        Term old = a.leadership.term().orElseThrow();
        a.leadership.resign("a test");
        eventually().until(() -> a.leads() && a.leadership.term().orElseThrow().number() > old.number());
        for (int i = 0; i < 1000; i++) {
            assertThat(commit(old.session(), old.fenced().set(operator.znodes().requests(), new byte[0], -1)))
                    .isInstanceOf(TxResult.Refused.class);
        }
    }
}
