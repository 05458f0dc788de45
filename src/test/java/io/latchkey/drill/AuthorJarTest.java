package io.latchkey.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.jobs.FireContext;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.Job;

class AuthorJarTest {
    /** Sees of the program what an author's jar sees: the scheduler's interfaces and the fire context. */
    private static final class WithoutDrill extends ClassLoader {
        WithoutDrill() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("io.latchkey.drill.")) {
                throw new ClassNotFoundException(name);
            }
            return FireContext.class.getClassLoader().loadClass(name);
        }
    }

    @Test
    void theJobsNeedNothingThatIsNotInTheirJar(@TempDir Path dir) throws Exception {
        Path jar = dir.resolve("jobs/drill-jobs.jar");
        AuthorJar.write(jar);
        try (URLClassLoader author = new URLClassLoader(new URL[] {jar.toUri().toURL()}, new WithoutDrill())) {
            for (Class<?> type : new Class<?>[] {DrillJob.class, DrillSingleJob.class, DrillKillerJob.class}) {
                Class<?> loaded = Class.forName(type.getName(), true, author);
                assertThat(loaded).isNotSameAs(type);
                assertThat(Job.class).isAssignableFrom(loaded);
            }
            for (Class<?> type : new Class<?>[] {RunLine.class, RunLine.Fire.class, RunLine.Phase.class}) {
                assertThat(Class.forName(type.getName(), true, author).getDeclaredMethods())
                        .isNotEmpty();
            }
        }
    }
}
