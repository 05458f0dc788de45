package io.latchkey.jobs.data;

import java.util.List;
import java.util.stream.Collectors;

/** The data of a job is not what the job can work with; the message has every problem. */
public final class BadDataException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadDataException(List<DataProblem> problems) {
        super(problems.stream().map(DataProblem::toString).collect(Collectors.joining(". ")));
    }
}
