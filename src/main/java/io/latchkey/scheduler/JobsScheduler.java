package io.latchkey.scheduler;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.JobKey;
import org.quartz.JobListener;
import org.quartz.ListenerManager;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SchedulerListener;
import org.quartz.TriggerListener;

/**
 * The scheduler as jobs, listeners and plugins see it. What they may read they read from the real one. What would change
 * it would die with the term, silently, so it is refused with what to do instead; only {@code triggerJob} is kept, as a
 * request that is durable when the call returns. Listeners added through it are guarded and live as long as the term.
 */
final class JobsScheduler implements InvocationHandler {
    /** Takes a job's wish to have a job run now. */
    interface Requests {
        /** Returns once the request is durable. */
        void trigger(JobKey job, Map<String, String> data) throws SchedulerException;
    }

    private final Scheduler real;
    private final Requests requests;

    private JobsScheduler(Scheduler real, Requests requests) {
        this.real = real;
        this.requests = requests;
    }

    static Scheduler around(Scheduler real, Requests requests) {
        return (Scheduler) Proxy.newProxyInstance(
                Scheduler.class.getClassLoader(), new Class<?>[] {Scheduler.class}, new JobsScheduler(real, requests));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return switch (name) {
                case "equals" -> arguments != null && arguments[0] == proxy;
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "the scheduler of this term, for jobs";
            };
        }
        if (name.equals("getListenerManager")) {
            return guardedListeners(real.getListenerManager());
        }
        if (name.equals("triggerJob") && arguments != null && arguments[0] instanceof JobKey job) {
            trigger(job, arguments.length > 1 && arguments[1] instanceof JobDataMap data ? data : new JobDataMap());
            return null;
        }
        boolean reads = name.startsWith("get") || name.startsWith("is") || name.equals("checkExists");
        if (!reads && !name.equals("interrupt")) {
            throw new SchedulerException(
                    name + " is refused: Latchkey's schedule comes from its job files, and a change"
                            + " made here would be lost with the leader. " + remedy(name));
        }
        return call(real, method, arguments);
    }

    private static String remedy(String method) {
        if (method.startsWith("pause") || method.startsWith("resume")) {
            return "Pause and resume with the latchkey command, which survives a change of leader.";
        }
        if (method.startsWith("shutdown") || method.startsWith("start") || method.equals("standby")) {
            return "To give up the lead, stop or resign this instance with the latchkey command.";
        }
        return "Change the job files in conf/ instead; to run a job once now, call triggerJob, which is kept.";
    }

    private void trigger(JobKey job, JobDataMap data) throws SchedulerException {
        if (!real.checkExists(job)) {
            throw new SchedulerException("triggerJob is refused: there is no job " + job + " in the job files.");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, Object> entry : data.getWrappedMap().entrySet()) {
            Object value = entry.getValue();
            if (!(value instanceof CharSequence || value instanceof Number || value instanceof Boolean)) {
                throw new SchedulerException("triggerJob is refused: the value of \"" + entry.getKey()
                        + "\" is neither text, number nor boolean, and only those can be kept in the request.");
            }
            texts.put(entry.getKey(), value.toString());
        }
        requests.trigger(job, texts);
    }

    private static ListenerManager guardedListeners(ListenerManager real) {
        return (ListenerManager) Proxy.newProxyInstance(
                ListenerManager.class.getClassLoader(),
                new Class<?>[] {ListenerManager.class},
                (proxy, method, given) -> {
                    @Nullable Object @Nullable [] arguments = given == null ? null : given.clone();
                    if (arguments != null && arguments[0] instanceof JobListener listener) {
                        arguments[0] = Guarded.wrap(JobListener.class, listener);
                    } else if (arguments != null && arguments[0] instanceof TriggerListener listener) {
                        arguments[0] = Guarded.wrap(TriggerListener.class, listener);
                    } else if (arguments != null && arguments[0] instanceof SchedulerListener listener) {
                        arguments[0] = Guarded.wrap(SchedulerListener.class, listener);
                    }
                    return call(real, method, arguments);
                });
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
