package io.latchkey.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GateTest {
    @Test
    void isClosedUntilOpened() {
        Gate gate = new Gate();
        assertThat(gate.isOpen()).isFalse();
        assertThat(gate.isClosedForGood()).isFalse();
        assertThat(gate.open()).isTrue();
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void closedBeforeItOpensStaysClosed() {
        Gate gate = new Gate();
        gate.close("session lost");
        assertThat(gate.open()).isFalse();
        assertThat(gate.isOpen()).isFalse();
        assertThat(gate.reason()).isEqualTo("session lost");
    }

    @Test
    void isNeverOpenedTwice() {
        Gate gate = new Gate();
        gate.open();
        assertThatThrownBy(gate::open).isInstanceOf(IllegalStateException.class);
        gate.close("lost");
        assertThat(gate.open()).isFalse();
        assertThat(gate.isOpen()).isFalse();
    }

    @Test
    void firstReasonIsKept() {
        Gate gate = new Gate();
        gate.open();
        assertThat(gate.close("first")).isTrue();
        assertThat(gate.close("second")).isFalse();
        assertThat(gate.reason()).isEqualTo("first");
    }

    @Test
    void tellsHowLongItHasBeenClosed() {
        AtomicLong nanos = new AtomicLong(5);
        Gate gate = new Gate(nanos::get);
        gate.open();
        assertThat(gate.closedFor()).isEmpty();
        gate.close("lost");
        nanos.addAndGet(1_000_000);
        assertThat(gate.closedFor()).contains(Duration.ofMillis(1));
    }

    @Test
    void hooksRunOnTheClosingThreadAfterTheGateIsShut() {
        Gate gate = new Gate();
        gate.open();
        List<String> seen = new ArrayList<>();
        gate.onClose(() -> seen.add(Thread.currentThread().getName() + " " + gate.isOpen()));
        gate.close("lost");
        gate.close("again");
        assertThat(seen).containsExactly(Thread.currentThread().getName() + " false");
    }

    @Test
    void aHookAddedLateRunsAtOnce() {
        Gate gate = new Gate();
        gate.close("lost");
        AtomicInteger ran = new AtomicInteger();
        gate.onClose(ran::incrementAndGet);
        assertThat(ran).hasValue(1);
    }

    @Test
    void aHookThatThrowsKeepsNoOtherFromRunning() {
        Gate gate = new Gate();
        AtomicInteger ran = new AtomicInteger();
        gate.onClose(() -> {
            throw new IllegalArgumentException("thrown on purpose");
        });
        gate.onClose(ran::incrementAndGet);
        assertThat(gate.close("lost")).isTrue();
        assertThat(ran).hasValue(1);
    }

    @Test
    void ofManyClosersExactlyOneCloses() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            Gate gate = new Gate();
            AtomicInteger closers = new AtomicInteger();
            AtomicInteger hooks = new AtomicInteger();
            gate.onClose(hooks::incrementAndGet);
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String name = "closer " + i;
                Thread thread = new Thread(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    if (gate.close(name)) {
                        closers.incrementAndGet();
                    }
                });
                thread.start();
                threads.add(thread);
            }
            go.countDown();
            gate.open();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(gate.isOpen()).isFalse();
            assertThat(closers).hasValue(1);
            assertThat(hooks).hasValue(1);
        }
    }
}
