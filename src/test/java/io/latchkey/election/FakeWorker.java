package io.latchkey.election;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A worker that records what it is told, and does what a test wants. */
final class FakeWorker implements TermWorker {
    interface Look {
        void run() throws Exception;
    }

    interface Step {
        void run(Term term) throws Exception;
    }

    final List<Term> led = new CopyOnWriteArrayList<>();
    final List<Term> opened = new CopyOnWriteArrayList<>();
    final List<StopReason> stopped = new CopyOnWriteArrayList<>();
    final List<Long> stoppedTerms = new CopyOnWriteArrayList<>();
    final List<String> interrupted = new CopyOnWriteArrayList<>();
    final List<String> gone = new CopyOnWriteArrayList<>();
    volatile Look onInspect = () -> {};
    volatile Step onLead = term -> {};
    volatile Step onOpened = term -> {};
    volatile Step onStop = term -> {};
    volatile boolean running;
    volatile boolean endsWhenInterrupted = true;
    volatile Optional<String> sick = Optional.empty();

    @Override
    public void inspect() throws Exception {
        onInspect.run();
    }

    @Override
    public void lead(Term term) throws Exception {
        led.add(term);
        onLead.run(term);
    }

    @Override
    public void opened(Term term) {
        opened.add(term);
        run(onOpened, term);
    }

    @Override
    public void stop(Term term, StopReason reason) {
        stopped.add(reason);
        stoppedTerms.add(term.number());
        run(onStop, term);
    }

    private static void run(Step step, Term term) {
        try {
            step.run(term);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean hasRunning() {
        return running;
    }

    @Override
    public void interruptRunning(String why) {
        interrupted.add(why);
        if (endsWhenInterrupted) {
            running = false;
        }
    }

    @Override
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (running && System.nanoTime() - deadline < 0) {
            Thread.sleep(10);
        }
        return !running;
    }

    @Override
    public void instanceGone(String id, String incarnation) {
        gone.add(id + " " + incarnation);
    }

    @Override
    public Optional<String> unhealthy() {
        return sick;
    }
}
