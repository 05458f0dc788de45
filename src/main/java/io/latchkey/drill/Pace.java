package io.latchkey.drill;

import io.latchkey.lifecycle.Threads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How slowly this machine does things just now. A thread of its own sleeps for a while, then works for a while, again and
 * again: by how much later it wakes than it asked for, and how much longer than on an idle processor its work takes, is what
 * the service's threads have to bear as well. Bounds are widened by that, and by nothing else. Thread-safe.
 */
final class Pace implements AutoCloseable {
    private static final Duration SLEEP = Duration.ofMillis(240);
    private static final Duration WORK = Duration.ofMillis(10);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final List<Sample> samples = new ArrayList<>();
    private final Thread thread;

    Pace(Threads threads) {
        thread = threads.start("drill-clock", this::measure);
    }

    /**
     * One look.
     *
     * @param at when it ended
     * @param late by how much later than asked the thread woke
     * @param took how long its work took
     * @param worked for how long a processor worked at it
     */
    record Sample(Instant at, Duration late, Duration took, Duration worked) {}

    /** What was measured, in order. */
    record Measured(List<Sample> samples) {
        Measured {
            samples = List.copyOf(samples);
        }

        /** Nothing was measured: a machine on which all goes as it should. */
        static final Measured NOTHING = new Measured(List.of());

        /** How many times as long as on an idle machine things took; 1 at least. */
        double stretch(Instant from, Instant to) {
            Duration took = Duration.ZERO;
            Duration worked = Duration.ZERO;
            for (Sample sample : between(from, to)) {
                took = took.plus(sample.took);
                worked = worked.plus(sample.worked);
            }
            return worked.isZero() ? 1 : Math.max(1, (double) took.toNanos() / worked.toNanos());
        }

        /** For how long nothing went on at all. */
        Duration stalled(Instant from, Instant to) {
            return between(from, to).stream().map(Sample::late).reduce(Duration.ZERO, Duration::plus);
        }

        /** What takes so long on an idle machine took no longer than this here. */
        Duration allow(Duration work, Instant from, Instant to) {
            return Duration.ofNanos(Math.round(work.toNanos() * stretch(from, to)))
                    .plus(stalled(from, to));
        }

        private List<Sample> between(Instant from, Instant to) {
            // A sample reaches back over its own length: the first one after the end counts too.
            Instant until = samples.stream()
                    .map(Sample::at)
                    .filter(at -> !at.isBefore(to))
                    .findFirst()
                    .orElse(to);
            return samples.stream()
                    .filter(sample -> sample.at.isAfter(from) && !sample.at.isAfter(until))
                    .toList();
        }
    }

    synchronized Measured measured() {
        return new Measured(samples);
    }

    private void measure() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long asleep = System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(SLEEP.toNanos());
                long awake = System.nanoTime();
                long worked = work();
                long done = System.nanoTime();
                Sample sample = new Sample(
                        Instant.now(),
                        Duration.ofNanos(Math.max(0, awake - asleep - SLEEP.toNanos())),
                        Duration.ofNanos(done - awake),
                        Duration.ofNanos(worked));
                synchronized (this) {
                    samples.add(sample);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Works until a processor has worked at it for long enough; gives how long that was. */
    private long work() {
        long began = threads.getCurrentThreadCpuTime();
        long worked = 0;
        while (worked < WORK.toNanos()) {
            worked = threads.getCurrentThreadCpuTime() - began;
        }
        return worked;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
