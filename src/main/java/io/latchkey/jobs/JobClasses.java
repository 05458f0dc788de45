package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Suggestions;
import io.latchkey.jobs.Fields.BadField;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.quartz.Job;

/** Finds job classes by name and says what keeps one from being a job. Loads each once; initialises none. */
final class JobClasses {
    private static final String OURS = "io.latchkey.";

    private final AuthorJars jars;
    private final boolean authors;
    private final Map<String, Class<? extends Job>> found = new LinkedHashMap<>();

    /** @param authors whether a class that is not found is at fault; otherwise {@link UnloadedJob} stands for it */
    JobClasses(AuthorJars jars, boolean authors) {
        this.jars = jars;
        this.authors = authors;
    }

    Class<? extends Job> resolve(String name) {
        Class<? extends Job> known = found.get(name);
        if (known != null) {
            return known;
        }
        try {
            Class<? extends Job> job = checked(Class.forName(name, false, jars.classLoader()));
            found.put(name, job);
            return job;
        } catch (ClassNotFoundException e) {
            if (!authors && !name.startsWith(OURS)) {
                return UnloadedJob.class;
            }
            throw new BadField(Code.CLASS, "there is no class " + name + where(e, name), near(name));
        } catch (LinkageError e) {
            // Not initialised, only read: it is of a newer Java, broken, or wants another class that is not there.
            throw new BadField(
                    Code.CLASS,
                    "class " + name + " cannot be loaded: " + e,
                    e instanceof UnsupportedClassVersionError
                            ? "compile it for Java " + Runtime.version().feature() + " or older"
                            : "put the jar of the class it names beside its own");
        }
    }

    private static Class<? extends Job> checked(Class<?> type) {
        String name = type.getName();
        if (!Job.class.isAssignableFrom(type)) {
            throw new BadField(Code.CLASS, "class " + name + " is no job", "let it implement org.quartz.Job");
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw new BadField(Code.CLASS, "class " + name + " is abstract", "name a class that can be made");
        }
        if (!Modifier.isPublic(type.getModifiers())) {
            throw new BadField(Code.CLASS, "class " + name + " is not public", "make it public");
        }
        if (Arrays.stream(type.getConstructors()).noneMatch(constructor -> constructor.getParameterCount() == 0)) {
            throw new BadField(
                    Code.CLASS,
                    "class " + name + " has no public constructor without arguments",
                    type.isMemberClass() && !Modifier.isStatic(type.getModifiers())
                            ? "make it static, or a class of its own"
                            : "add one; settings come as job data, set by Quartz through setters");
        }
        return type.asSubclass(Job.class);
    }

    private String near(String name) {
        Set<String> known = new LinkedHashSet<>(found.keySet());
        known.addAll(jars.classNames());
        known.add(GreetJob.class.getName());
        known.add(NapJob.class.getName());
        known.addAll(JobDataChecks.classNames());
        return known.stream()
                .filter(candidate -> candidate.endsWith("." + name))
                .findFirst()
                .or(() -> Suggestions.nearest(name, known))
                .map(candidate -> "did you mean " + candidate + "?")
                .orElse("put its jar where jobs.classpath says (" + jars.described() + ") and start the instance anew");
    }

    private static String where(ClassNotFoundException e, String name) {
        String missing = String.valueOf(e.getMessage());
        return missing.equals(name) ? "" : " (" + missing + ")";
    }
}
