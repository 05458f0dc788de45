package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader.JobStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/** The job or trigger that a command was given. */
final class JobArgument {
    private JobArgument() {}

    /**
     * A job of the ledger.
     *
     * @throws CliException with exit code 1 if there is none or more than one such
     */
    static JobKey ofLedger(OperatorLedger ledger, String given) throws CliException, LedgerException {
        Set<JobKey> known = jobs(ledger.reader().jobs());
        return LedgerNames.find("job", given, known).orElseThrow(() -> LedgerNames.unknown("job", given, known));
    }

    /** A job of the ledger or, as one that never ran and has no trigger is not in it, of this host's configuration. */
    static JobKey ofLedgerOrConf(OperatorLedger ledger, String given) throws CliException, LedgerException {
        Set<JobKey> known = jobs(ledger.reader().jobs());
        Optional<JobKey> found = LedgerNames.find("job", given, known);
        if (found.isEmpty()) {
            catalog(ledger)
                    .ifPresent(
                            catalog -> catalog.jobs().stream().map(JobSpec::key).forEach(known::add));
            found = LedgerNames.find("job", given, known);
        }
        return found.orElseThrow(() -> LedgerNames.unknown("job", given, known));
    }

    /** A trigger of the ledger or of this host's configuration. */
    static TriggerKey trigger(OperatorLedger ledger, String given) throws CliException, LedgerException {
        Set<TriggerKey> known = new TreeSet<>();
        ledger.reader().jobs().stream()
                .flatMap(job -> job.cursors().stream())
                .map(Cursor::trigger)
                .forEach(known::add);
        Optional<TriggerKey> found = LedgerNames.find("trigger", given, known);
        if (found.isEmpty()) {
            catalog(ledger)
                    .ifPresent(catalog ->
                            catalog.triggers().stream().map(TriggerSpec::key).forEach(known::add));
            found = LedgerNames.find("trigger", given, known);
        }
        return found.orElseThrow(() -> LedgerNames.unknown("trigger", given, known));
    }

    /** The jobs without triggers of this host's configuration: what is asked for by hand alone. */
    static List<JobKey> withoutTriggers(OperatorLedger ledger) {
        return catalog(ledger).stream()
                .flatMap(catalog -> catalog.jobs().stream()
                        .map(JobSpec::key)
                        .filter(job -> catalog.triggers().stream()
                                .noneMatch(trigger -> trigger.job().equals(job))))
                .toList();
    }

    private static Set<JobKey> jobs(List<JobStatus> known) {
        Set<JobKey> keys = new TreeSet<>();
        known.forEach(job -> keys.add(job.job()));
        return keys;
    }

    /** Empty where it cannot be loaded: what is in the ledger can be named all the same. */
    static Optional<JobCatalog> catalog(OperatorLedger ledger) {
        try {
            return Optional.of(Catalogs.load(ledger.settings()));
        } catch (ConfException e) {
            return Optional.empty();
        }
    }
}
