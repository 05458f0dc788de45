package io.latchkey;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows between packages point one way: a package may use only those after it in {@link #LAYERS}. */
class LayersTest {
    private static final List<String> LAYERS = List.of(
            "cli",
            "drill",
            "console",
            "metrics",
            "reload",
            "view",
            "scheduler",
            "ledger",
            "election",
            "zookeeper",
            "jobs",
            "conf",
            "lifecycle");

    private static JavaClasses product;

    @BeforeAll
    static void importProduct() {
        product = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.latchkey");
    }

    @Test
    void thereIsSomethingToCheck() {
        assertThat(product).isNotEmpty();
    }

    @Test
    void arrowsPointOneWay() {
        for (int upper = 0; upper < LAYERS.size(); upper++) {
            for (int lower = upper + 1; lower < LAYERS.size(); lower++) {
                noClasses()
                        .that(resideInAPackage(layer(lower)))
                        .should()
                        .dependOnClassesThat(resideInAPackage(layer(upper)))
                        .allowEmptyShould(true)
                        .check(product);
            }
        }
    }

    @Test
    void onlyTheSchedulerAndJobsKnowQuartz() {
        noClasses()
                .that(resideInAnyPackage(
                        layer("lifecycle"), layer("conf"), layer("zookeeper"), layer("election"), layer("console")))
                .should()
                .dependOnClassesThat(resideInAPackage("org.quartz.."))
                .allowEmptyShould(true)
                .check(product);
    }

    @Test
    void onlyTheZooKeeperLayersKnowZooKeeper() {
        noClasses()
                .that(resideInAnyPackage(layer("lifecycle"), layer("conf"), layer("jobs"), layer("scheduler")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.zookeeper..", "org.apache.curator.."))
                .allowEmptyShould(true)
                .check(product);
    }

    @Test
    void onlyTheMetricsKnowMicrometer() {
        noClasses()
                .that(resideOutsideOfPackage(layer("metrics")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.micrometer..", "io.prometheus.."))
                .check(product);
    }

    private static String layer(int index) {
        return layer(LAYERS.get(index));
    }

    private static String layer(String name) {
        return "io.latchkey." + name + "..";
    }
}
