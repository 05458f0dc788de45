package io.latchkey.conf;

import java.nio.file.Path;

/**
 * The directories of an instance, all absolute. None is made or checked here.
 *
 * @param confDir what the configuration was read from
 * @param dataDir for the embedded server and the PID file
 * @param logDir for log files
 */
public record Paths(Path confDir, Path dataDir, Path logDir) {}
