package io.latchkey.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloserTest {
    private final List<String> closed = new ArrayList<>();
    private final Closer closer = new Closer();

    @Test
    void closesInReverseOrder() {
        closer.push("first", () -> closed.add("first"));
        closer.push("second", () -> closed.add("second"));

        closer.close();

        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void failureDoesNotKeepTheRestFromClosingAndNoneIsLost() {
        IOException later = new IOException("later");
        IOException earlier = new IOException("earlier");
        closer.push("last", () -> closed.add("last"));
        closer.push("later", () -> {
            throw later;
        });
        closer.push("earlier", () -> {
            throw earlier;
        });

        Throwable thrown = catchThrowable(closer::close);

        assertThat(closed).containsExactly("last");
        assertThat(thrown).isInstanceOf(IllegalStateException.class).hasCause(earlier);
        assertThat(earlier.getSuppressed()).containsExactly(later);
    }

    @Test
    void errorIsThrownAsItIs() {
        AssertionError error = new AssertionError("broken");
        closer.push("last", () -> closed.add("last"));
        closer.push("broken", () -> {
            throw error;
        });

        assertThat(catchThrowable(closer::close)).isSameAs(error);
        assertThat(closed).containsExactly("last");
    }

    @Test
    void secondCloseDoesNothing() {
        closer.push("once", () -> closed.add("once"));

        closer.close();
        closer.close();

        assertThat(closed).containsExactly("once");
    }

    @Test
    void whatIsPushedAfterTheCloseIsClosedAtOnce() {
        closer.close();

        assertThatThrownBy(() -> closer.push("late", () -> closed.add("late")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(closed).containsExactly("late");
    }

    @Test
    void interruptOfACloseIsKept() {
        closer.push("interrupted", () -> {
            throw new InterruptedException();
        });

        assertThat(catchThrowable(closer::close)).hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
