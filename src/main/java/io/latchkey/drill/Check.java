package io.latchkey.drill;

/** One promise, judged from the evidence. Pure. */
@FunctionalInterface
interface Check {
    void run(Evidence evidence, Findings findings);
}
