package io.latchkey.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private final SteppedTime time = new SteppedTime();
    private final Lease lease = new Lease(TIMEOUT, time.clock(), time::nanoTime);

    @Test
    void isNotValidBeforeAWriteIsConfirmed() {
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void lastsHalfTheTimeoutFromTheSendNotFromTheReply() {
        long sent = time.nanoTime();
        time.pass(Duration.ofSeconds(3));
        lease.confirmedWrite(sent);
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(2));
        time.pass(Duration.ofMillis(1999));
        assertThat(lease.isValid()).isTrue();
        time.pass(Duration.ofMillis(1));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void aReplySlowerThanHalfTheTimeoutProvesNothing() {
        long sent = time.nanoTime();
        time.pass(Duration.ofSeconds(5));
        lease.confirmedWrite(sent);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void anOlderSendConfirmedLateNeverShortensIt() {
        long first = time.nanoTime();
        time.pass(Duration.ofSeconds(2));
        lease.confirmedWrite(time.nanoTime());
        lease.confirmedWrite(first);
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aRunOutLeaseIsRenewedByTheNextWrite() {
        lease.confirmedWrite(time.nanoTime());
        time.pass(Duration.ofSeconds(6));
        assertThat(lease.isValid()).isFalse();
        lease.confirmedWrite(time.nanoTime());
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void aSuspendedMachineVoidsIt() {
        lease.confirmedWrite(time.nanoTime());
        time.suspend(Duration.ofSeconds(6));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void aWriteSentBeforeTheSuspensionDoesNotReviveIt() {
        lease.confirmedWrite(time.nanoTime());
        long sent = time.nanoTime();
        time.suspend(Duration.ofHours(1));
        lease.confirmedWrite(sent);
        assertThat(lease.isValid()).isFalse();
        time.pass(Duration.ofMillis(1));
        lease.confirmedWrite(time.nanoTime());
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void aWallClockSetBackVoidsItToo() {
        lease.confirmedWrite(time.nanoTime());
        time.suspend(Duration.ofMinutes(-5));
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void aSmallCorrectionOfTheWallClockDoesNot() {
        lease.confirmedWrite(time.nanoTime());
        time.suspend(Duration.ofMillis(500));
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void correctionsThatEachWriteTookInDoNotAddUp() {
        for (int i = 0; i < 100; i++) {
            time.pass(Duration.ofSeconds(1));
            time.suspend(Duration.ofMillis(100));
            lease.confirmedWrite(time.nanoTime());
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void anEndedLeaseIsNeverValidAgain() {
        lease.confirmedWrite(time.nanoTime());
        lease.end();
        lease.confirmedWrite(time.nanoTime());
        assertThat(lease.isValid()).isFalse();
    }
}
