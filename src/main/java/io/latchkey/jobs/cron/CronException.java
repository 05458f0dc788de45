package io.latchkey.jobs.cron;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An expression that is not valid: which field, why, and what to write instead. */
public final class CronException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String expression;
    private final @Nullable CronField field;
    private final String reason;
    private final String remedy;

    CronException(String expression, @Nullable CronField field, String reason, String remedy) {
        super("cron expression '" + expression + "': " + (field == null ? "" : field.label() + " field: ") + reason
                + (remedy.isEmpty() ? "" : "; " + remedy));
        this.expression = expression;
        this.field = field;
        this.reason = reason;
        this.remedy = remedy;
    }

    /** The expression as it was given. */
    public String expression() {
        return expression;
    }

    /** The field at fault; empty if the expression as a whole is. */
    public Optional<CronField> field() {
        return Optional.ofNullable(field);
    }

    /** What is wrong, in one clause. */
    public String reason() {
        return reason;
    }

    /** What to write instead; may be empty. */
    public String remedy() {
        return remedy;
    }
}
