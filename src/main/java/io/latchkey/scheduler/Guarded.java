package io.latchkey.scheduler;

import io.latchkey.lifecycle.Faults;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps what users plug into Quartz (listeners) so that it can never throw into Quartz's code: a listener that throws
 * there keeps a job from running, or leaves a job that may not overlap blocked for ever. What it throws is logged; a
 * question it would have answered gets the answer "no".
 */
final class Guarded implements InvocationHandler {
    private static final Logger log = LoggerFactory.getLogger(Guarded.class);

    private final Object target;
    private final String fallbackName;

    private Guarded(Object target) {
        this.target = target;
        this.fallbackName = target.getClass().getName() + '@' + Integer.toHexString(System.identityHashCode(target));
    }

    /** The same object behind all its interfaces, {@code type} among them; an object already wrapped is returned as is. */
    static <T> T wrap(Class<T> type, T target) {
        if (Proxy.isProxyClass(target.getClass()) && Proxy.getInvocationHandler(target) instanceof Guarded) {
            return target;
        }
        // The listener's own loader sees Quartz's interfaces and those of the author.
        ClassLoader loader = target.getClass().getClassLoader() == null
                ? type.getClassLoader()
                : target.getClass().getClassLoader();
        Set<Class<?>> types = new LinkedHashSet<>();
        types.add(type);
        return type.cast(Proxy.newProxyInstance(loader, types.toArray(Class<?>[]::new), new Guarded(target)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(method, arguments);
        }
        try {
            Object result = method.invoke(target, arguments);
            return result == null && method.getName().equals("getName") ? fallbackName : result;
        } catch (InvocationTargetException e) {
            return answerFor(method, e.getCause() == null ? e : e.getCause());
        } catch (IllegalAccessException | IllegalArgumentException e) {
            return answerFor(method, e);
        }
    }

    private @Nullable Object answerFor(Method method, Throwable thrown) {
        if (Faults.isFatal(thrown)) {
            // Rethrown, so that it reaches the handler of the thread.
            throw (Error) (thrown instanceof Error ? thrown : new InternalError(thrown));
        }
        log.warn(
                "The Quartz listener {} threw in {}; its job and trigger go on as if it had not. Mend the listener.",
                target.getClass().getName(),
                method.getName(),
                thrown);
        if (method.getReturnType() == boolean.class) {
            return false;
        }
        return method.getReturnType() == String.class ? fallbackName : null;
    }

    private Object ofObject(Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> isSame(arguments == null ? null : arguments[0]);
            case "hashCode" -> System.identityHashCode(target);
            default -> "guarded " + Arrays.asList(fallbackName);
        };
    }

    private boolean isSame(@Nullable Object other) {
        return other != null
                && Proxy.isProxyClass(other.getClass())
                && Proxy.getInvocationHandler(other) instanceof Guarded guarded
                && guarded.target == target;
    }
}
