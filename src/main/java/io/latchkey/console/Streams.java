package io.latchkey.console;

import io.latchkey.view.ClusterView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The event streams ({@code text/event-stream}): who has one open is told within about a second that something changed,
 * and then asks for what. A stream holds no thread; one that does not keep up misses what is between, never the latest.
 * While none is open nothing is read.
 */
final class Streams implements AutoCloseable {
    /** As many as there may be at once. */
    static final int MAX = 100;

    private static final Duration LOOK = Duration.ofSeconds(1);
    /** Looks without news after which something is written all the same, so that both ends see that the other is there. */
    private static final int QUIET_LOOKS = 10;

    private final Snapshots snapshots;
    private final Set<Stream> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final ScheduledFuture<?> looks;
    private volatile boolean closed;

    Streams(Snapshots snapshots, ScheduledExecutorService timer) {
        this.snapshots = snapshots;
        this.looks = timer.scheduleWithFixedDelay(this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What a stream says. */
    record Changed(boolean stale, Map<String, String> versions) {}

    /** Answers a request with a stream of events, or says why not. */
    void open(Request request, Response response, Callback callback) throws Problem.ProblemException {
        if (closed || count.incrementAndGet() > MAX) {
            count.decrementAndGet();
            throw Problem.unavailable(
                            "there are " + MAX + " event streams open already", "close one, or poll with If-None-Match")
                    .asException();
        }
        response.getHeaders().put("Content-Type", "text/event-stream");
        response.getHeaders().put("X-Accel-Buffering", "no");
        Stream stream = new Stream(response, callback);
        open.add(stream);
        request.addFailureListener(stream::failed);
        stream.send(": welcome\n\n");
        look(stream);
    }

    int count() {
        return open.size();
    }

    private void look() {
        open.forEach(this::look);
    }

    private void look(Stream stream) {
        CompletableFuture<Seen<ClusterView>> cluster = snapshots.cluster();
        var unused = cluster.thenCombine(snapshots.ledger(), (who, what) -> {
                    Map<String, String> versions = new TreeMap<>(what.value().versions());
                    versions.put("cluster", Snapshots.version(who.value()));
                    return new Changed(who.stale() || what.stale(), versions);
                })
                .whenComplete((changed, failure) -> {
                    if (changed == null) {
                        stream.quiet();
                    } else {
                        stream.changed(changed);
                    }
                });
    }

    @Override
    public void close() {
        closed = true;
        looks.cancel(false);
        open.forEach(Stream::end);
    }

    /** One of them. */
    private final class Stream {
        private final Response response;
        private final Callback callback;
        private @Nullable Changed last;
        private @Nullable String next;
        private boolean writing;
        private boolean ending;
        private boolean ended;
        private int quiet;

        Stream(Response response, Callback callback) {
            this.response = response;
            this.callback = callback;
        }

        void changed(Changed now) {
            synchronized (this) {
                if (now.equals(last)) {
                    now = null;
                } else {
                    last = now;
                    quiet = 0;
                }
            }
            if (now == null) {
                quiet();
            } else {
                byte[] json = Answer.json(200, now).body();
                send("event: changed\ndata: " + new String(json, StandardCharsets.UTF_8) + "\n\n");
            }
        }

        void quiet() {
            synchronized (this) {
                if (++quiet < QUIET_LOOKS) {
                    return;
                }
                quiet = 0;
                if (writing) {
                    return;
                }
            }
            send(": still here\n\n");
        }

        /** Written when what is before it is; what waited already is left out for it. */
        void send(String text) {
            synchronized (this) {
                if (ended || ending) {
                    return;
                }
                if (writing) {
                    next = text;
                    return;
                }
                writing = true;
            }
            write(text);
        }

        private void write(String text) {
            response.write(
                    false,
                    ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)),
                    Callback.from(this::written, this::failed));
        }

        private void written() {
            String waiting;
            boolean over;
            synchronized (this) {
                waiting = next;
                next = null;
                over = ending && waiting == null;
                writing = waiting != null || over;
            }
            if (over) {
                last();
            } else if (waiting != null) {
                write(waiting);
            }
        }

        void end() {
            synchronized (this) {
                if (ended || ending) {
                    return;
                }
                ending = true;
                if (writing) {
                    return;
                }
                writing = true;
            }
            last();
        }

        private void last() {
            if (forget()) {
                response.write(true, null, callback);
            }
        }

        void failed(Throwable why) {
            if (forget()) {
                callback.failed(why);
            }
        }

        private boolean forget() {
            synchronized (this) {
                if (ended) {
                    return false;
                }
                ended = true;
            }
            open.remove(this);
            count.decrementAndGet();
            return true;
        }
    }
}
