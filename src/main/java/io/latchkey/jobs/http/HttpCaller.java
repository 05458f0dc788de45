package io.latchkey.jobs.http;

import io.latchkey.conf.Durations;
import io.latchkey.jobs.http.TailSubscriber.Tail;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes HTTP calls, on the calling thread. Secrets are looked up for each call and are in nothing that comes back. Of an
 * answer a megabyte is read, however long it is. Thread-safe.
 */
public final class HttpCaller {
    private static final HttpClients CLIENTS = new HttpClients();
    private static final int MAX_REDIRECTS = 5;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private HttpCaller() {}

    /** One request of a call: the first, or one that a redirect asked for. */
    private record Step(String method, URI uri, Map<String, String> headers, BodyPublisher body) {}

    /**
     * Makes a call and waits for the answer's end.
     *
     * @param more headers of the caller's, over those of the call; {@link FireHeaders} for one
     * @throws HttpCallException if there was no answer, or not all of it in time; the message says why
     * @throws InterruptedException if the thread was interrupted; the request is then cancelled
     */
    public static HttpAnswer call(HttpCall call, Map<String, String> more)
            throws HttpCallException, InterruptedException {
        Secrets secrets = new Secrets(System::getenv);
        HttpClient client = CLIENTS.of(call.manner(), secrets);
        long from = System.nanoTime();
        Step step = first(call, more, secrets);
        for (int redirects = 0; ; redirects++) {
            HttpResponse<Tail> response = send(client, step, call, from, secrets);
            String location = response.headers().firstValue("Location").orElse("");
            if (!REDIRECTS.contains(response.statusCode()) || location.isEmpty()) {
                return answer(response, "", from, secrets);
            }
            if (!call.manner().followRedirects()) {
                return answer(response, location, from, secrets);
            }
            URI target = target(step.uri(), location, call);
            if (redirects == MAX_REDIRECTS) {
                throw new HttpCallException(call.shown() + ": more than " + MAX_REDIRECTS + " redirects");
            }
            step = next(step, response.statusCode(), target, call);
        }
    }

    private static Step first(HttpCall call, Map<String, String> more, Secrets secrets) throws HttpCallException {
        String text = call.url()
                .resolve(
                        secrets,
                        secret -> URLEncoder.encode(secret, StandardCharsets.UTF_8)
                                .replace("+", "%20"));
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new HttpCallException("the url " + call.url() + " is none once its references are resolved");
        }
        String wrong = HttpRules.wrongWith(uri);
        if (wrong != null) {
            throw new HttpCallException("the url " + call.url() + " " + wrong);
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (Map.Entry<String, Template> header : call.headers().entrySet()) {
            String value = header.getValue().resolve(secrets);
            if (!HttpRules.isValue(value)) {
                throw new HttpCallException("the value of header " + header.getKey()
                        + " has a line end, another control character or one that is not ASCII; nothing was sent");
            }
            headers.put(header.getKey(), value);
        }
        headers.putAll(more);
        return new Step(call.method(), uri, headers, body(call, secrets));
    }

    private static BodyPublisher body(HttpCall call, Secrets secrets) throws HttpCallException {
        Template text = call.body();
        if (text != null) {
            return BodyPublishers.ofString(text.resolve(secrets));
        }
        if (call.bodyFile() != null) {
            try {
                return BodyPublishers.ofFile(call.bodyFile());
            } catch (FileNotFoundException e) {
                throw new HttpCallException("there is no file " + call.bodyFile() + " on this instance to send");
            }
        }
        return BodyPublishers.noBody();
    }

    private static HttpResponse<Tail> send(HttpClient client, Step step, HttpCall call, long from, Secrets secrets)
            throws HttpCallException, InterruptedException {
        CompletableFuture<HttpResponse<Tail>> response = null;
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(step.uri()).method(step.method(), step.body());
            step.headers().forEach(request::setHeader);
            response = client.sendAsync(request.build(), info -> new TailSubscriber());
            long left = call.manner().timeout().toNanos() - (System.nanoTime() - from);
            return response.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HttpCallException(call.shown() + ": no complete answer within "
                    + Durations.format(call.manner().timeout()) + "; whether it was acted on is not known");
        } catch (ExecutionException e) {
            throw new HttpCallException(call.shown() + ": " + reason(e, step, call, secrets));
        } catch (IllegalArgumentException e) {
            throw new HttpCallException(call.shown() + ": " + secrets.hide(String.valueOf(e.getMessage())));
        } finally {
            // Without effect on one that is done; else it closes the connection.
            if (response != null) {
                response.cancel(true);
            }
        }
    }

    private static URI target(URI from, String location, HttpCall call) throws HttpCallException {
        URI target;
        try {
            target = from.resolve(new URI(location));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new HttpCallException(call.shown() + ": redirected to what is no URL");
        }
        return target;
    }

    private static Step next(Step before, int status, URI target, HttpCall call) throws HttpCallException {
        String wrong = HttpRules.wrongWith(target);
        if (wrong != null) {
            throw new HttpCallException(call.shown() + ": redirected to a URL that " + wrong);
        }
        if (isHttps(before.uri()) && !isHttps(target)) {
            throw new HttpCallException(
                    call.shown() + ": redirected from https to http, to " + target.getHost() + "; not followed");
        }
        boolean again = status == 307 || status == 308;
        boolean read = before.method().equals("GET") || before.method().equals("HEAD");
        boolean elsewhere = !HttpRules.sameHost(before.uri(), target);
        if (elsewhere && again && !read) {
            throw new HttpCallException(call.shown() + ": redirected with its body to another host, " + target.getHost()
                    + "; not followed, for it may hold what that host must not see");
        }
        Map<String, String> headers = new LinkedHashMap<>(elsewhere ? Map.of() : before.headers());
        if (again || read) {
            return new Step(before.method(), target, headers, before.body());
        }
        headers.keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).startsWith("content-"));
        return new Step("GET", target, headers, BodyPublishers.noBody());
    }

    private static boolean isHttps(URI uri) {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    private static HttpAnswer answer(HttpResponse<Tail> response, String location, long from, Secrets secrets) {
        Tail tail = response.body();
        String text = secrets.hide(new String(tail.bytes(), StandardCharsets.UTF_8));
        Duration took = Duration.ofNanos(System.nanoTime() - from);
        // Without its query, which is where those who redirect put tokens of theirs.
        String target = secrets.hide(location.replaceAll("[?#].*", ""));
        return new HttpAnswer(response.statusCode(), target, text, tail.complete(), took);
    }

    private static String reason(ExecutionException failure, Step step, HttpCall call, Secrets secrets) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof HttpConnectTimeoutException) {
            return "no connection within " + Durations.format(call.manner().connectTimeout());
        }
        if (has(cause, UnresolvedAddressException.class)) {
            return secrets.hide("the host " + step.uri().getHost() + " is not known");
        }
        if (cause instanceof SSLException) {
            return "no TLS connection: " + secrets.hide(String.valueOf(cause.getMessage()))
                    + ". A certificate of your own authority wants a trust-store";
        }
        if (cause instanceof ConnectException) {
            String message = cause.getMessage();
            return "no connection: " + (message == null ? "refused" : secrets.hide(message));
        }
        return secrets.hide(cause.toString()) + "; whether it was acted on is not known";
    }

    private static boolean has(@Nullable Throwable failure, Class<? extends Throwable> type) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < 8; depth++) {
            if (type.isInstance(at)) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }
}
