package io.latchkey.conf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What becomes of each key of Quartz 2.5, old ones included. Keys stand without their prefix {@code org.quartz.}.
 *
 * <p>A rule of thumb for what is refused: a value under which fires would be lost, doubled or out of the service's sight,
 * or which its author surely relies on and would not get. What changes nothing is ignored, and said.
 */
final class QuartzKeys {
    /** What becomes of one key with its value. */
    sealed interface Verdict {}

    /** Quartz gets it. */
    record Pass() implements Verdict {}

    /** Harmless: dropped, and named in one notice with all others of the kind. */
    record Ignore() implements Verdict {}

    /** Dropped, with a notice of its own that says what holds instead. */
    record Point(String message) implements Verdict {}

    /** The instance does not start. */
    record Refuse(String message, String remedy) implements Verdict {}

    /** No key of Quartz's. */
    record Unknown() implements Verdict {}

    private static final String OWN_STORE =
            "the service claims each fire in ZooKeeper through a store of its own, and no other can do that";
    private static final String DELETE = "remove this line";
    private static final Set<String> RAM_STORES = Set.of("org.quartz.simpl.RAMJobStore", "RAMJobStore");
    private static final Set<String> XML_PLUGINS =
            Set.of("XMLSchedulingDataProcessorPlugin", "JobInitializationPlugin", "JobInitializationPluginMultiple");

    private static final Map<String, Function<String, Verdict>> RULES = new LinkedHashMap<>();

    private QuartzKeys() {}

    static {
        ignore(
                "scheduler.instanceName",
                "scheduler.instanceId",
                "scheduler.threadName",
                "scheduler.skipUpdateCheck",
                "scheduler.userTransactionURL",
                "scheduler.dbFailureRetryInterval",
                "scheduler.jmx.objectName",
                "scheduler.rmi.registryHost",
                "scheduler.rmi.registryPort",
                "scheduler.rmi.serverPort",
                "scheduler.rmi.createRegistry",
                "scheduler.rmi.bindName",
                "threadPool.threadNamePrefix",
                "managementRESTService.bind");
        for (String key : List.of(
                "scheduler.makeSchedulerThreadDaemon",
                "threadPool.makeThreadsDaemons",
                "scheduler.interruptJobsOnShutdown",
                "scheduler.interruptJobsOnShutdownWithWait")) {
            RULES.put(key, value -> bool(value, new Ignore()));
        }
        for (String key : List.of(
                "scheduler.threadsInheritContextClassLoaderOfInitializer",
                "threadPool.threadsInheritContextClassLoaderOfInitializingThread",
                "threadPool.threadsInheritGroupOfInitializingThread")) {
            RULES.put(key, value -> bool(value, new Pass()));
        }
        onlyFalse("scheduler.rmi.export", "it would let others run jobs past the leader's fence");
        onlyFalse("scheduler.rmi.proxy", "this instance would run a scheduler elsewhere and none of its own");
        onlyFalse("scheduler.jmx.export", "it would let others start and stop the scheduler past the leader's fence");
        onlyFalse("scheduler.jmx.proxy", "this instance would run a scheduler elsewhere and none of its own");
        RULES.put("scheduler.jmx.proxy.class", value -> new Ignore());
        onlyFalse(
                "scheduler.wrapJobExecutionInUserTransaction",
                "the service has no transaction manager; a job that needs a transaction begins its own");
        onlyFalse("managementRESTService.enabled", "it would let others change the scheduler past the leader's fence");
        onlyFalse(
                "jobStore.isClustered",
                "instances are kept apart by the latch in ZooKeeper, and Quartz's clustering has no part in it");
        onlyClass(
                "jobStore.class",
                RAM_STORES,
                "is another job store; " + OWN_STORE,
                "remove all lines of org.quartz.jobStore");
        onlyClass(
                "threadPool.class",
                Set.of("org.quartz.simpl.SimpleThreadPool"),
                "is another thread pool; the service watches and drains its own",
                "remove this line, and set scheduler.threads in " + SettingsLoader.FILE);
        onlyClass(
                "threadExecutor.class",
                Set.of("org.quartz.impl.DefaultThreadExecutor"),
                "is another maker of threads; the service watches its own",
                DELETE);
        onlyClass(
                "scheduler.jobFactory.class",
                Set.of("org.quartz.simpl.PropertySettingJobFactory", "org.quartz.simpl.SimpleJobFactory"),
                "is another job factory; the service makes jobs itself, after the last look at the fence",
                "remove this line; job data is set as bean properties without it");
        onlyClass(
                "scheduler.classLoadHelper.class",
                Set.of("org.quartz.simpl.CascadingClassLoadHelper"),
                "is another class loader; job classes come from the jars of jobs.classpath",
                "remove this line, and set jobs.classpath in " + SettingsLoader.FILE);
        refuse(
                "scheduler.batchTriggerAcquisitionMaxCount",
                "the service claims fires in batches of its own size",
                DELETE);
        RULES.put(
                "scheduler.batchTriggerAcquisitionFireAheadTimeWindow",
                value -> value.equals("0")
                        ? new Ignore()
                        : new Refuse("\"" + value + "\" is refused: a fire would start before it is due", DELETE));
        refuse(
                "scheduler.idleWaitTime",
                "the service watches how often the scheduler thread looks for work, to know that it is alive",
                DELETE);
        RULES.put("jobStore.misfireThreshold", QuartzKeys::misfireThreshold);
        RULES.put("threadPool.threadPriority", QuartzKeys::priority);
        // Known so that a misspelling finds it; the loader reads it.
        RULES.put("threadPool.threadCount", value -> new Pass());
        // A database store's: without that store they do nothing, and with it the store is what is refused.
        for (String key : List.of(
                "acquireTriggersWithinLock",
                "clusterCheckinInterval",
                "dataSource",
                "dbRetryInterval",
                "dontSetAutoCommitFalse",
                "dontSetNonManagedTXConnectionAutoCommitFalse",
                "doubleCheckLockMisfireHandler",
                "driverDelegateClass",
                "driverDelegateInitString",
                "lockHandler.class",
                "lockOnInsert",
                "makeThreadsDaemons",
                "maxMisfiresToHandleAtATime",
                "nonManagedTXDataSource",
                "selectWithLockSQL",
                "tablePrefix",
                "threadsInheritInitializersClassLoadContext",
                "txIsolationLevelReadCommitted",
                "txIsolationLevelSerializable",
                "useDBLocks",
                "useEnhancedStatements",
                "useProperties")) {
            ignore("jobStore." + key);
        }
    }

    static Verdict verdict(String key, String value) {
        Function<String, Verdict> rule = RULES.get(key);
        if (rule != null) {
            return rule.apply(value);
        }
        if (key.startsWith("context.key.")) {
            return new Pass();
        }
        // Whatever makes an instance name that is ignored, or locks for a database store that is not there.
        return key.startsWith("scheduler.instanceIdGenerator.") || key.startsWith("jobStore.lockHandler.")
                ? new Ignore()
                : new Unknown();
    }

    /** What becomes of a plugin of this class. */
    static Verdict plugin(String type) {
        String name = type.substring(type.lastIndexOf('.') + 1);
        if (XML_PLUGINS.contains(name)) {
            return new Refuse(
                    "the plugin that loads job files is refused, as the service loads them itself: all or none, before it"
                            + " joins, with every error said",
                    "remove the lines of this plugin, and name its files in jobs.files of " + SettingsLoader.FILE);
        }
        if (name.equals("ShutdownHookPlugin")) {
            return new Point("the service stops in an order of its own on SIGTERM, handing the lead over first and then"
                    + " draining running jobs for shutdown.drain-timeout. The lines can be removed.");
        }
        return new Pass();
    }

    /** The known key nearest to a misspelled one. */
    static Optional<String> nearest(String key) {
        List<String> known = new ArrayList<>(RULES.keySet());
        String[] parts = key.split("\\.", 3);
        if (parts.length == 3) {
            for (String group : List.of("plugin", "jobListener", "triggerListener", "dataSource", "context")) {
                known.add(group + "." + parts[1] + "." + parts[2]);
            }
        }
        return Suggestions.nearest(key, known);
    }

    private static Verdict bool(String value, Verdict verdict) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true", "false" -> verdict;
            default ->
                new Refuse("\"" + value + "\" is neither true nor false", "write one of them, or remove the line");
        };
    }

    private static Verdict misfireThreshold(String value) {
        if (value.matches("\\d{1,18}") && Long.parseLong(value) > 0) {
            return new Point("scheduler.misfire-threshold of " + SettingsLoader.FILE
                    + " decides what is missed. Set that, and remove this line.");
        }
        return new Refuse(
                "\"" + value + "\" is not a number of milliseconds above 0",
                "remove this line, and set scheduler.misfire-threshold in " + SettingsLoader.FILE);
    }

    private static Verdict priority(String value) {
        return value.matches("[1-9]|10")
                ? new Pass()
                : new Refuse("\"" + value + "\" is not a thread priority from 1 to 10", "write 5, or remove the line");
    }

    private static void ignore(String... keys) {
        for (String key : keys) {
            RULES.put(key, value -> new Ignore());
        }
    }

    private static void onlyFalse(String key, String reason) {
        RULES.put(
                key,
                value -> value.equalsIgnoreCase("false")
                        ? new Ignore()
                        : new Refuse("\"" + value + "\" is refused: " + reason, DELETE));
    }

    private static void onlyClass(String key, Set<String> harmless, String reason, String remedy) {
        RULES.put(
                key,
                value -> harmless.contains(value) ? new Ignore() : new Refuse("\"" + value + "\" " + reason, remedy));
    }

    private static void refuse(String key, String reason, String remedy) {
        RULES.put(key, value -> new Refuse("is refused: " + reason, remedy));
    }
}
