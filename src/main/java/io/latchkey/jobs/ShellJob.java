package io.latchkey.jobs;

import io.latchkey.jobs.data.BadDataException;
import io.latchkey.jobs.shell.Command;
import io.latchkey.jobs.shell.CommandRun;
import io.latchkey.jobs.shell.OutputLog;
import io.latchkey.jobs.shell.ShellData;
import java.io.IOException;
import java.util.Map;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/**
 * Runs a program. Its job data are the constants of {@link ShellData}: {@code command} (a line for {@code /bin/sh -c}) or
 * {@code argument.0}, {@code argument.1} … (word by word, without a shell), {@code directory}, {@code environment.NAME},
 * {@code inherit}, {@code success-exit-codes}, {@code kill-grace}.
 *
 * <p>The program finds {@code LATCHKEY_FIRE_ID}, {@code LATCHKEY_SCHEDULED_TIME} (UTC, ISO 8601),
 * {@code LATCHKEY_FENCING_TOKEN}, {@code LATCHKEY_ATTEMPT} and {@code LATCHKEY_JOB} in its environment. Of the service's own
 * it sees {@code PATH}, {@code HOME}, {@code USER}, {@code LOGNAME}, {@code SHELL}, {@code LANG}, {@code LANGUAGE},
 * {@code LC_…}, {@code TZ}, {@code TMPDIR} and what {@code inherit} names, no more. Standard input is empty.
 *
 * <p>Standard output and error go line by line to the logger {@value OutputLog#LOGGER}, and their end to the history. Any
 * exit code but 0, or those named, is a failure that tells the code and the last line.
 *
 * <p>What becomes of its processes, when it ends, is interrupted, or the service is killed: see {@link CommandRun}. Runs may
 * overlap; {@link SingleShellJob} is the same without overlap.
 */
public final class ShellJob implements Job {
    /** Made by Quartz, one for each run. */
    public ShellJob() {}

    /** Returns when the program has ended, and nothing of it is left. */
    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        run(context);
    }

    static void run(JobExecutionContext context) throws JobExecutionException {
        FireContext fire = FireContext.of(context);
        ShellData data;
        try {
            data = ShellData.of(context.getMergedJobDataMap());
        } catch (BadDataException e) {
            throw new JobExecutionException(e.getMessage(), e);
        }
        String job = context.getJobDetail().getKey().toString();
        Command command = data.command()
                .with(Map.of(
                        "LATCHKEY_FIRE_ID", fire.fireId(),
                        "LATCHKEY_SCHEDULED_TIME", fire.scheduledTime().toString(),
                        "LATCHKEY_FENCING_TOKEN", Long.toString(fire.fencingToken()),
                        "LATCHKEY_ATTEMPT", Integer.toString(fire.attempt()),
                        "LATCHKEY_JOB", job));
        OutputLog output = new OutputLog();
        int code;
        try {
            code = CommandRun.run("The command of job " + job + " (" + fire.fireId() + ")", command, output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobExecutionException("the command was ended, because the run was interrupted", e);
        } catch (IOException e) {
            throw new JobExecutionException("the command cannot be run: " + e.getMessage(), e);
        } finally {
            fire.output(output.tail());
        }
        if (!data.success().contains(code)) {
            String last = output.lastLine();
            throw new JobExecutionException("exit code " + code + meaning(code) + (last.isEmpty() ? "" : ": " + last));
        }
    }

    private static String meaning(int code) {
        return switch (code) {
            case 126 -> " (not executable)";
            case 127 -> " (no such program)";
            default -> code > 128 && code < 160 ? " (signal " + (code - 128) + ")" : "";
        };
    }
}
