package io.latchkey.jobs;

import io.latchkey.conf.Problem;
import java.util.List;
import java.util.Optional;

/**
 * What there is to say about job files.
 *
 * @param catalog what would be loaded; empty if there are problems
 * @param problems what keeps an instance from starting with them
 * @param warnings what is no error but worth a line
 */
public record JobsCheck(Optional<JobCatalog> catalog, List<Problem> problems, List<Problem> warnings) {
    public JobsCheck {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }
}
