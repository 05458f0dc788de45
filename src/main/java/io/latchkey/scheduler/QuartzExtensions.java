package io.latchkey.scheduler;

import io.latchkey.conf.QuartzSettings;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import org.quartz.JobDataMap;
import org.quartz.JobListener;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerListener;
import org.quartz.simpl.CascadingClassLoadHelper;
import org.quartz.simpl.PropertySettingJobFactory;
import org.quartz.spi.ClassLoadHelper;
import org.quartz.spi.SchedulerPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What users plug into Quartz by {@code quartz.properties}: listeners, plugins, context entries, the priority of job
 * threads. Made anew for each term, from the author jars too. Listeners are guarded; plugins get the scheduler that
 * refuses changes. Quartz's shutdown hook is left out: the service has its own order of stopping. Daemon or not is not
 * asked: the service keeps its process up itself.
 */
final class QuartzExtensions {
    private static final Logger log = LoggerFactory.getLogger(QuartzExtensions.class);
    private static final String PLUGIN = "org.quartz.plugin.";
    private static final String JOB_LISTENER = "org.quartz.jobListener.";
    private static final String TRIGGER_LISTENER = "org.quartz.triggerListener.";
    private static final String CONTEXT = "org.quartz.context.key.";
    private static final String PRIORITY = "org.quartz.threadPool.threadPriority";
    private static final String SHUTDOWN_HOOK = "org.quartz.plugins.management.ShutdownHookPlugin";

    private final Map<String, String> properties;
    private final ClassLoader loader;
    private final Map<String, SchedulerPlugin> plugins;

    /** @throws SchedulerException if a plugin or listener cannot be made; the message names its key */
    QuartzExtensions(QuartzSettings settings, ClassLoader loader) throws SchedulerException {
        this.properties = settings.properties();
        this.loader = loader;
        this.plugins = make(PLUGIN, SchedulerPlugin.class);
    }

    /** Makes everything once, to see whether it can be. */
    void check() throws SchedulerException {
        make(JOB_LISTENER, JobListener.class);
        make(TRIGGER_LISTENER, TriggerListener.class);
    }

    /** The plugins, by name. */
    Map<String, SchedulerPlugin> plugins() {
        return plugins;
    }

    ClassLoadHelper loadHelper() {
        CascadingClassLoadHelper helper = new CascadingClassLoadHelper();
        helper.initialize();
        return helper;
    }

    // The user asks for it; nothing here relies on it.
    @SuppressWarnings("ThreadPriorityCheck")
    ThreadFactory withPriority(ThreadFactory threads) {
        String value = properties.get(PRIORITY);
        if (value == null) {
            return threads;
        }
        int priority;
        try {
            priority = Integer.parseInt(value.trim());
        } catch (NumberFormatException e) {
            log.warn("{} is \"{}\", not a number; job threads have the normal priority", PRIORITY, value, e);
            return threads;
        }
        int bounded = Math.max(Thread.MIN_PRIORITY, Math.min(Thread.MAX_PRIORITY, priority));
        return task -> {
            Thread thread = threads.newThread(task);
            if (thread != null) {
                thread.setPriority(bounded);
            }
            return thread;
        };
    }

    /** Adds the listeners to {@code real} and lets the plugins see {@code forJobs}. */
    void attach(Scheduler real, Scheduler forJobs) throws SchedulerException {
        for (Map.Entry<String, String> entry : properties.entrySet()) {
            if (entry.getKey().startsWith(CONTEXT)) {
                real.getContext().put(entry.getKey().substring(CONTEXT.length()), entry.getValue());
            }
        }
        for (JobListener listener : make(JOB_LISTENER, JobListener.class).values()) {
            forJobs.getListenerManager().addJobListener(listener);
        }
        for (TriggerListener listener :
                make(TRIGGER_LISTENER, TriggerListener.class).values()) {
            forJobs.getListenerManager().addTriggerListener(listener);
        }
        for (Map.Entry<String, SchedulerPlugin> plugin : plugins.entrySet()) {
            plugin.getValue().initialize(plugin.getKey(), forJobs, loadHelper());
        }
    }

    private <T> Map<String, T> make(String prefix, Class<T> type) throws SchedulerException {
        Map<String, T> made = new LinkedHashMap<>();
        for (Map.Entry<String, Map<String, String>> group : groups(prefix).entrySet()) {
            Map<String, String> values = new TreeMap<>(group.getValue());
            String className = values.remove("class");
            String key = prefix + group.getKey() + ".class";
            if (className == null) {
                throw new SchedulerException(key + " is missing in quartz.properties");
            }
            if (className.trim().equals(SHUTDOWN_HOOK)) {
                log.info("{} is ignored: the service stops Quartz in its own order", key);
                continue;
            }
            made.put(group.getKey(), make(key, className.trim(), type, group.getKey(), values));
        }
        return made;
    }

    private <T> T make(String key, String className, Class<T> type, String name, Map<String, String> values)
            throws SchedulerException {
        try {
            Object object = Class.forName(className, true, loader)
                    .getDeclaredConstructor()
                    .newInstance();
            T made = type.cast(object);
            if (!type.equals(SchedulerPlugin.class)) {
                name(object, name);
            }
            new Beans().set(object, values);
            return made;
        } catch (ReflectiveOperationException | LinkageError | ClassCastException | SchedulerException e) {
            throw new SchedulerException(
                    key + " in quartz.properties: " + className + " cannot be used as a " + type.getSimpleName() + " ("
                            + e + "). Put its jar into jobs/, or take the key out.",
                    e);
        }
    }

    /** As Quartz does: a listener with {@code setName} gets the name it has in the file. */
    private static void name(Object listener, String name) throws ReflectiveOperationException {
        for (Method method : listener.getClass().getMethods()) {
            if (method.getName().equals("setName")
                    && List.of(method.getParameterTypes()).equals(List.of(String.class))) {
                method.invoke(listener, name);
            }
        }
    }

    private Map<String, Map<String, String>> groups(String prefix) {
        Map<String, Map<String, String>> groups = new TreeMap<>();
        List<String> keys = new ArrayList<>(properties.keySet());
        for (String key : keys) {
            if (key.startsWith(prefix)) {
                String rest = key.substring(prefix.length());
                int dot = rest.indexOf('.');
                if (dot > 0) {
                    groups.computeIfAbsent(rest.substring(0, dot), name -> new TreeMap<>())
                            .put(rest.substring(dot + 1), properties.getOrDefault(key, ""));
                }
            }
        }
        return groups;
    }

    /** Quartz's own setting of bean properties, strict about unknown ones. */
    private static final class Beans extends PropertySettingJobFactory {
        private Beans() {
            setThrowIfPropertyNotFound(true);
        }

        private void set(Object bean, Map<String, String> values) throws SchedulerException {
            setBeanProps(bean, new JobDataMap(values));
        }
    }
}
