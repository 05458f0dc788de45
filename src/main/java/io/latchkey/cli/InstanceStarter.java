package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsSource;

/** How {@code run} gets its instance: commands do not know how one is wired. */
@FunctionalInterface
public interface InstanceStarter {
    /**
     * Starts an instance and returns once it has joined.
     *
     * @param source where the settings were read from, to be read again on a reload
     * @param failFast give up where ZooKeeper cannot be reached, instead of waiting for it
     * @throws ConfException if the configuration cannot be used
     * @throws CliException for any other reason known; carries the exit code
     * @throws InterruptedException if interrupted while waiting; nothing is left running then
     */
    Instance start(Settings settings, SettingsSource source, boolean failFast)
            throws ConfException, CliException, InterruptedException;

    /** A running instance. */
    interface Instance extends AutoCloseable {
        /**
         * Returns when the instance has been closed.
         *
         * @throws CliException if it ended by itself; carries the exit code
         */
        void awaitTermination() throws CliException, InterruptedException;

        /** Hands over, waits for running jobs under the drain timeout, and ends. Safe to call twice. */
        @Override
        void close();
    }
}
