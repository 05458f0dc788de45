package io.latchkey.lifecycle;

/** How the process ends. The README's table and the systemd unit are written from these. */
public enum ExitCode {
    /** Done as asked; also the end of an ordered stop. */
    OK(0),
    /** The answer is no: nobody leads, validation found problems, or a general failure. */
    NO(1),
    /** The configuration is wrong in a way that starting again cannot mend. */
    CONFIG(2),
    /** ZooKeeper could not be reached, or did not let us in. */
    UNREACHABLE(3),
    /** Another live instance holds this instance's id. */
    ID_IN_USE(4),
    /** A daemon of this configuration runs already. */
    ALREADY_RUNNING(5),
    /** The virtual machine can no longer be trusted (out of memory): halted at once, without an ordered stop. */
    FATAL(70);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** The status given to the operating system. */
    public int code() {
        return code;
    }
}
