package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.jobs.SoakJob;
import com.example.jobs.SoakJob.Run;
import io.latchkey.election.Term;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.zookeeper.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leaders lose their sessions or resign every few seconds while 50 triggers of every kind fire: at the end what ran, what the ledger
 * says and what was due agree. The seed is printed; {@code -Dsoak.seed=…} gives it, {@code -Dsoak.seconds=…} the length.
 */
@Tag("slow")
class FailoverSoakTest {
    private static final int TRIGGERS = 50;

    /** Shorter than a change of leader takes, so that there are misses. */
    private static final Duration THRESHOLD = Duration.ofMillis(150);

    private static final Duration ROUNDING = Duration.ofMillis(5);

    /** An outcome is written behind; one this young at the kill may have been on its way. */
    private static final Duration UNWRITTEN = Duration.ofSeconds(3);

    @TempDir
    private Path dir;

    private record Kill(String instance, String incarnation, Instant from, Instant to) {}

    @Test
    void runLogAndLedgerAgreeWithWhatWasDue() throws Exception {
        long seed = Long.getLong("soak.seed", System.nanoTime());
        Duration length = Duration.ofSeconds(Long.getLong("soak.seconds", 55));
        System.out.println("soak.seed=" + seed);
        Random random = new Random(seed);
        List<SoakTrigger> triggers;
        String[] settings = {
            "scheduler.threads=25",
            "scheduler.misfire-threshold=" + THRESHOLD.toMillis() + "ms",
            "scheduler.history=200"
        };

        List<Kill> kills = new ArrayList<>();
        Map<SoakTrigger, List<HistoryEntry>> ledger = new HashMap<>();
        int handovers = 0;
        Instant end;
        try (Scene scene = new Scene()) {
            // Far enough ahead for the first leader to have seen all triggers before the first of them is due.
            Instant begin = Instant.now().plusSeconds(12).truncatedTo(ChronoUnit.SECONDS);
            triggers = SoakTrigger.some(TRIGGERS, begin, random);
            Path conf = ServiceInstance.conf(
                    dir, triggers.stream().map(SoakTrigger::xml).collect(Collectors.joining()));
            ServiceInstance a = scene.lead(conf, "a", settings);
            assertThat(Instant.now()).isBefore(begin);
            ServiceInstance b = scene.start(conf, "b", settings);
            while (Instant.now().isBefore(begin.plus(length))) {
                Instant next = Instant.now().plusMillis(2000 + random.nextInt(3000));
                patiently().until(() -> Instant.now().isAfter(next) && (a.leads() || b.leads()));
                ServiceInstance leader = a.leads() ? a : b;
                if (random.nextInt(4) == 0) {
                    handovers += leader.resign() ? 1 : 0;
                } else {
                    kill(scene, leader).ifPresent(kills::add);
                }
            }
            end = Instant.now();
            for (SoakTrigger trigger : triggers) {
                patiently().atMost(Duration.ofMinutes(2)).until(() -> isDecided(scene, trigger, end));
                ledger.put(trigger, scene.history(trigger.name()));
            }
        }

        List<Run> runs = SoakJob.runs();
        System.out.println(handovers + " handovers, " + summary(runs, kills, ledger));
        assertThat(kills).as("seed %s", seed).hasSizeGreaterThan((int) length.toSeconds() / 20);
        assertThat(runs.stream().map(run -> run.fireId + "#" + run.attempt))
                .as("starts, seed %s", seed)
                .doesNotHaveDuplicates();
        List<String> wrong = new ArrayList<>();
        for (SoakTrigger trigger : triggers) {
            List<Run> own =
                    runs.stream().filter(run -> run.job.equals(trigger.name())).toList();
            List<HistoryEntry> history = ledger.getOrDefault(trigger, List.of());
            outcomes(trigger, history, end, wrong);
            starts(trigger, history, own, end, wrong);
            abandoned(trigger, history, own, kills, wrong);
            overlaps(trigger, own, kills, wrong);
        }
        assertThat(wrong).as("seed %s, kills %s", seed, kills).isEmpty();
    }

    private static java.util.Optional<Kill> kill(Scene scene, ServiceInstance leader) throws Exception {
        Term term;
        try {
            term = leader.term();
        } catch (java.util.NoSuchElementException e) {
            return java.util.Optional.empty(); // it lost the lead by itself meanwhile
        }
        Session session = term.session();
        Instant from = Instant.now();
        scene.zookeeper().expire(session);
        patiently().until(() -> !term.gate().isOpen());
        return java.util.Optional.of(new Kill(leader.id(), session.incarnation(), from, Instant.now()));
    }

    private static boolean isDecided(Scene scene, SoakTrigger trigger, Instant end) throws Exception {
        Instant next = scene.cursor(trigger.name() + "-t").next();
        return next != null
                && next.isAfter(end)
                && scene.ledger().running().stream()
                        .noneMatch(record -> record.job().getName().equals(trigger.name())
                                && !record.slot().isAfter(end));
    }

    /** Each due fire has one outcome, and nothing else has one. */
    private static void outcomes(SoakTrigger trigger, List<HistoryEntry> history, Instant end, List<String> wrong) {
        Map<Instant, List<HistoryEntry>> decided = new TreeMap<>();
        for (HistoryEntry entry : history) {
            // What became of an attempt that was followed by another is not what became of the fire.
            if (entry.retried() == null) {
                long count =
                        entry.outcome().kind() == Kind.SKIPPED ? entry.outcome().count() : 1;
                trigger.back(entry.id().slot(), count)
                        .forEach(slot -> decided.computeIfAbsent(slot, s -> new ArrayList<>())
                                .add(entry));
            }
        }
        Set<Instant> due = new HashSet<>(trigger.due(end));
        due.stream()
                .filter(slot -> !decided.containsKey(slot))
                .forEach(slot -> wrong.add(trigger + " was due at " + slot + " and has no outcome"));
        decided.forEach((slot, entries) -> {
            if (entries.size() > 1) {
                wrong.add(trigger + " at " + slot + " has more than one outcome: " + entries);
            }
            if (!slot.isAfter(end) && !due.contains(slot)) {
                wrong.add(trigger + " was not due at " + slot + " and has the outcome " + entries);
            }
        });
    }

    /** What the ledger says was run was started, and the other way round; with all slots to run none is skipped. */
    private static void starts(
            SoakTrigger trigger, List<HistoryEntry> history, List<Run> runs, Instant end, List<String> wrong) {
        Set<String> started =
                runs.stream().map(run -> run.fireId + "#" + run.attempt).collect(Collectors.toSet());
        Set<String> known = new HashSet<>();
        Set<Instant> abandoned = new HashSet<>();
        for (HistoryEntry entry : history) {
            String attempt = entry.id() + "#" + entry.attempt();
            Kind kind = entry.outcome().kind();
            known.add(attempt);
            if (kind == Kind.ABANDONED) {
                abandoned.add(entry.id().slot());
            } else if (kind == Kind.FAILED) {
                wrong.add(attempt + " failed, which no job of the soak does by itself: " + entry.outcome());
            } else if (kind == Kind.SKIPPED && trigger.runsAll()) {
                wrong.add(attempt + " is skipped, though all slots are to run: " + entry.outcome());
            }
            if (kind == Kind.SKIPPED) {
                List<Instant> slots =
                        trigger.back(entry.id().slot(), entry.outcome().count());
                Duration waited = Duration.between(
                        slots.get(slots.size() - 1), entry.outcome().at());
                if (waited.plus(ROUNDING).compareTo(THRESHOLD) < 0) {
                    wrong.add(attempt + " is skipped, though its oldest slot had waited for " + waited + " only");
                }
            }
            boolean ran = kind == Kind.SUCCEEDED || kind == Kind.INTERRUPTED;
            if (ran && !started.contains(attempt)) {
                wrong.add(attempt + " is " + kind + " in the ledger but was never started");
            }
            if (kind == Kind.SKIPPED && started.contains(attempt)) {
                wrong.add(attempt + " is skipped in the ledger but was started");
            }
        }
        runs.stream()
                .filter(run -> !run.slot.isAfter(end) && !known.contains(run.fireId + "#" + run.attempt))
                .forEach(run -> wrong.add(run + " was started, and the ledger does not know"));
        if (trigger.runsAll()) {
            Set<Instant> ran = runs.stream().map(run -> run.slot).collect(Collectors.toSet());
            trigger.due(end).stream()
                    .filter(slot -> !ran.contains(slot) && !abandoned.contains(slot))
                    .forEach(slot -> wrong.add(trigger + " did not start at " + slot));
        }
    }

    /** Abandoned is only what was in flight at a kill, of a job that does not ask for recovery or had its attempts. */
    private static void abandoned(
            SoakTrigger trigger, List<HistoryEntry> history, List<Run> runs, List<Kill> kills, List<String> wrong) {
        for (HistoryEntry entry : history) {
            Outcome outcome = entry.outcome();
            if (outcome.kind() != Kind.ABANDONED && outcome.kind() != Kind.RECOVERED) {
                continue;
            }
            Instant ended = runs.stream()
                    .filter(run -> run.fireId.equals(entry.id().toString()) && run.attempt == entry.attempt())
                    .map(Run::ended)
                    .findFirst()
                    .orElse(Instant.MAX);
            boolean inFlight = kills.stream()
                    .anyMatch(kill -> kill.incarnation().equals(entry.owner().incarnation())
                            && entry.claimed().isBefore(kill.to())
                            && ended.isAfter(kill.from().minus(UNWRITTEN)));
            if (!inFlight) {
                wrong.add(entry + " was not in flight at a kill (ended " + ended + ")");
            }
            boolean ranHere = outcome.error() != null && outcome.error().contains("ran to its end");
            if (outcome.kind() == Kind.ABANDONED && trigger.recover() && entry.attempt() < 3 && !ranHere) {
                wrong.add(entry + " is abandoned, though its job asks for recovery");
            }
            if (outcome.kind() == Kind.RECOVERED && !trigger.recover()) {
                wrong.add(entry + " is run again, though its job does not ask for recovery");
            }
        }
    }

    /** Two runs of a job that may not overlap do so only if the first one's instance was killed meanwhile. */
    private static void overlaps(SoakTrigger trigger, List<Run> runs, List<Kill> kills, List<String> wrong) {
        if (!trigger.single()) {
            return;
        }
        for (Run first : runs) {
            for (Run second : runs) {
                boolean overlap = first != second
                        && !second.started.isBefore(first.started)
                        && second.started.isBefore(first.ended());
                boolean killed = kills.stream()
                        .anyMatch(kill -> kill.instance().equals(first.instance)
                                && kill.to().isAfter(first.started)
                                && kill.from().isBefore(second.started));
                if (overlap && (!killed || first.instance.equals(second.instance))) {
                    wrong.add(first + " overlaps " + second);
                }
            }
        }
    }

    private static String summary(List<Run> runs, List<Kill> kills, Map<SoakTrigger, List<HistoryEntry>> ledger) {
        Map<Kind, Long> outcomes = ledger.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(
                        entry -> entry.outcome().kind(),
                        TreeMap::new,
                        Collectors.summingLong(entry -> entry.outcome().count())));
        return kills.size() + " kills, " + runs.size() + " starts, outcomes " + outcomes;
    }
}
