package io.latchkey.lifecycle;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ThreadsTest {
    private final List<Integer> halts = new CopyOnWriteArrayList<>();
    private final Threads threads = new Threads(new Faults(halts::add));
    private final Closer closer = new Closer();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void captureLog() {
        logged.list = new CopyOnWriteArrayList<>();
        Logger logger = (Logger) LoggerFactory.getLogger(Faults.class);
        logged.start();
        logger.addAppender(logged);
        closer.push("log", () -> logger.detachAppender(logged));
    }

    @AfterEach
    void close() {
        closer.close();
    }

    @Test
    void threadsAreNamedAndDaemons() {
        ThreadFactory factory = threads.factory("worker");

        Thread first = factory.newThread(() -> {});
        Thread second = factory.newThread(() -> {});

        assertThat(List.of(first.getName(), second.getName())).containsExactly("worker", "worker-2");
        assertThat(first.isDaemon()).isTrue();
        assertThat(first.getUncaughtExceptionHandler()).isSameAs(threads.faults());
    }

    @Test
    void taskThatThrowsIsLoggedAndTheNextRunsOnTheSameThread() throws Exception {
        ExecutorService executor = single();
        Thread before = executor.submit(Thread::currentThread).get(30, SECONDS);

        executor.execute(() -> {
            throw new IllegalStateException("broken task");
        });

        assertThat(executor.submit(Thread::currentThread).get(30, SECONDS)).isSameAs(before);
        assertLoggedOnce("broken task");
    }

    @Test
    void failureOfASubmittedTaskIsLoggedThoughNobodyAsksItsFuture() {
        Future<?> future = single().submit(() -> {
            throw new IllegalStateException("unasked");
        });

        assertLoggedOnce("unasked");
        assertThatThrownBy(() -> future.get(30, SECONDS)).isInstanceOf(ExecutionException.class);
    }

    @Test
    void periodicTaskThatThrowsRunsAgain() throws Exception {
        ScheduledExecutorService executor = scheduled();
        CountDownLatch runs = new CountDownLatch(3);

        Future<?> fixedRate = executor.scheduleAtFixedRate(
                () -> {
                    runs.countDown();
                    throw new IllegalStateException("every time");
                },
                0,
                1,
                MILLISECONDS);

        assertThat(runs.await(30, SECONDS)).isTrue();
        assertThat(fixedRate.cancel(false)).isTrue();
        assertThat(logged.list).anyMatch(event -> event.getLevel() == Level.ERROR);
    }

    @Test
    void delayedTaskThatThrowsIsLogged() {
        Future<?> future = scheduled()
                .schedule(
                        () -> {
                            throw new IllegalStateException("delayed");
                        },
                        1,
                        MILLISECONDS);

        assertLoggedOnce("delayed");
        assertThat(future).isDone();
    }

    @Test
    void cancelledTaskIsNoFailure() throws Exception {
        ExecutorService executor = single();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Future<?> future = executor.submit(() -> {
            running.countDown();
            never.await();
            return null;
        });
        assertThat(running.await(30, SECONDS)).isTrue();

        assertThat(future.cancel(true)).isTrue();

        executor.submit(() -> {}).get(30, SECONDS);
        assertThat(logged.list).isEmpty();
    }

    @Test
    void errorOfTheVirtualMachineHaltsWith70FromEveryKindOfTask() {
        int expected = 0;
        ExecutorService single = single();
        ScheduledExecutorService scheduled = scheduled();
        Runnable exhausted = () -> {
            throw new OutOfMemoryError("planted");
        };
        List<Runnable> ways = List.of(
                () -> single.execute(exhausted),
                () -> expectDone(single.submit(exhausted)),
                () -> scheduled.execute(exhausted),
                () -> expectDone(scheduled.schedule(exhausted, 0, SECONDS)),
                () -> expectDone(scheduled.submit(exhausted)),
                () -> threads.start("alone", exhausted));

        for (Runnable way : ways) {
            way.run();
            int count = ++expected;
            await().atMost(Duration.ofSeconds(30)).until(() -> halts.size() == count);
        }

        assertThat(halts).containsOnly(ExitCode.FATAL.code()).containsOnly(70);
    }

    @Test
    void uncaughtExceptionOfAThreadIsLoggedAndDoesNotHalt() throws Exception {
        Thread thread = threads.start("fragile", () -> {
            throw new IllegalStateException("uncaught");
        });
        thread.join(30_000);

        assertLoggedOnce("uncaught");
        assertThat(logged.list.get(0).getFormattedMessage()).contains("fragile");
        assertThat(halts).isEmpty();
    }

    @Test
    void wrappedErrorOfTheVirtualMachineIsFatalAndAStackOverflowIsNot() {
        assertThat(Faults.isFatal(new ExecutionException(new InternalError("planted"))))
                .isTrue();
        assertThat(Faults.isFatal(new StackOverflowError())).isFalse();
        assertThat(Faults.isFatal(new AssertionError())).isFalse();
    }

    @Test
    void haltComesEvenIfLoggingFails() {
        Throwable unprintable = new OutOfMemoryError("planted") {
            @Override
            public String getMessage() {
                throw new OutOfMemoryError("again");
            }
        };

        assertThatThrownBy(() -> threads.faults().fatal(unprintable)).isInstanceOf(OutOfMemoryError.class);

        assertThat(halts).containsExactly(70);
    }

    @Test
    void stopInterruptsWhatDoesNotEnd() throws Exception {
        ExecutorService executor = single();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        executor.execute(() -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                interrupted.countDown();
            }
        });
        assertThat(running.await(30, SECONDS)).isTrue();

        assertThat(Threads.stop("test", executor, Duration.ofMillis(10))).isFalse();

        assertThat(interrupted.await(30, SECONDS)).isTrue();
    }

    private static void expectDone(Future<?> future) {
        await().atMost(Duration.ofSeconds(30)).until(future::isDone);
    }

    private ExecutorService single() {
        ExecutorService executor = threads.single("single");
        closer.push("single", executor::shutdownNow);
        return executor;
    }

    private ScheduledExecutorService scheduled() {
        ScheduledExecutorService executor = threads.scheduled("scheduled");
        closer.push("scheduled", executor::shutdownNow);
        return executor;
    }

    private void assertLoggedOnce(String message) {
        await().atMost(Duration.ofSeconds(30)).until(() -> !logged.list.isEmpty());
        assertThat(logged.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getFormattedMessage()).contains(message);
            assertThat(event.getThrowableProxy()).isNotNull();
        });
    }
}
