package io.latchkey.ledger;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * That a record which was read from JSON has all it must have: a field that is not there is read as null, and would be
 * met only deep inside a takeover, on every instance in turn.
 */
final class Complete {
    /** What a date of Quartz, and any calendar, can still hold. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private static final ClassValue<List<RecordComponent>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<RecordComponent> computeValue(Class<?> type) {
            List<RecordComponent> out = new ArrayList<>(List.of(type.getRecordComponents()));
            // Records that are no public types are read as well.
            out.forEach(component -> component.getAccessor().setAccessible(true));
            return out;
        }
    };

    private Complete() {}

    /** @throws IllegalArgumentException that names the first field that is missing or out of all bounds */
    static void require(Object read) {
        walk("", read);
    }

    private static void walk(String at, @Nullable Object value) {
        if (value instanceof Instant instant && (instant.isBefore(EARLIEST) || instant.isAfter(LATEST))) {
            throw new IllegalArgumentException("its field \"" + at + "\" is no time that can come: " + instant);
        } else if (value instanceof Collection<?> all) {
            all.forEach(element -> walk(at, element));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(element -> walk(at, element));
        } else if (value instanceof Record record) {
            for (RecordComponent component : COMPONENTS.get(record.getClass())) {
                String name = at.isEmpty() ? component.getName() : at + "." + component.getName();
                Object field = field(record, component);
                if (field == null && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    throw new IllegalArgumentException("its field \"" + name + "\" is missing");
                }
                walk(name, field);
            }
        }
    }

    private static @Nullable Object field(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component + " of " + record.getClass(), e);
        }
    }
}
