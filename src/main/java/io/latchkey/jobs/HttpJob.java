package io.latchkey.jobs;

import io.latchkey.jobs.data.BadDataException;
import io.latchkey.jobs.http.FireHeaders;
import io.latchkey.jobs.http.HttpAnswer;
import io.latchkey.jobs.http.HttpCall;
import io.latchkey.jobs.http.HttpCallException;
import io.latchkey.jobs.http.HttpCaller;
import io.latchkey.jobs.http.HttpData;
import java.util.Map;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a URL. Its job data are the constants of {@link HttpData}: {@code url}, {@code method}, {@code header.NAME},
 * {@code body} or {@code body-file}, {@code connect-timeout}, {@code timeout}, {@code expected-status}, {@code redirects},
 * {@code trust-store}, {@code trust-store-password}.
 *
 * <p>URL, header values and body may refer to secrets, {@code ${env:NAME}} and {@code ${file:/path}}, which are looked up for
 * each run and shown nowhere. Each request carries the headers of {@link FireHeaders}: {@code Idempotency-Key} with the fire
 * id, the same on each attempt, and {@code Latchkey-Fencing-Token}.
 *
 * <p>The end of the answer goes to the history. Any status but 2xx, or those expected, is a failure. Runs may overlap;
 * {@link SingleHttpJob} is the same without overlap.
 */
public final class HttpJob implements Job {
    private static final Logger log = LoggerFactory.getLogger(HttpJob.class);

    /** Made by Quartz, one for each run. */
    public HttpJob() {}

    /** Returns when the answer has come; an interrupt cancels the request. */
    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        run(context);
    }

    static void run(JobExecutionContext context) throws JobExecutionException {
        FireContext fire = FireContext.of(context);
        HttpData data;
        try {
            data = HttpData.of(context.getMergedJobDataMap());
        } catch (BadDataException e) {
            throw new JobExecutionException(e.getMessage(), e);
        }
        HttpCall call = data.call();
        Map<String, String> headers = FireHeaders.of(
                fire.fireId(),
                fire.scheduledTime(),
                fire.fencingToken(),
                fire.attempt(),
                context.getJobDetail().getKey().toString());
        HttpAnswer answer;
        try {
            answer = HttpCaller.call(call, headers);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobExecutionException(
                    call.shown()
                            + " was cancelled, because the run was interrupted; whether it was acted on is not known",
                    e);
        } catch (HttpCallException e) {
            throw new JobExecutionException(e.getMessage(), e);
        }
        String tail = OutputTail.of(answer.tail());
        fire.output(tail);
        log.debug(
                "{}: status {} after {} ms",
                call.shown(),
                answer.status(),
                answer.took().toMillis());
        if (!data.expected().contains(answer.status())) {
            throw new JobExecutionException(call.shown() + ": status " + answer.status() + ", expected "
                    + data.expected() + redirect(answer) + lastLine(tail));
        }
    }

    private static String redirect(HttpAnswer answer) {
        return answer.location().isEmpty()
                ? ""
                : " (a redirect to " + answer.location() + "; redirects=follow would follow it)";
    }

    private static String lastLine(String tail) {
        String last = tail.strip();
        last = last.substring(last.lastIndexOf('\n') + 1);
        return last.isEmpty() ? "" : ": " + (last.length() <= 200 ? last : last.substring(0, 200) + "…");
    }
}
