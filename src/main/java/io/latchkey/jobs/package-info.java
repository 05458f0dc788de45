/**
 * What a job author sees, and what becomes of an author's files: the typed view of a run ({@link io.latchkey.jobs.FireContext}), a job to copy from, the specs of jobs and triggers,
 * the loader of Quartz's XML format, the class loader of author jars and the conf digest. Specs are immutable; they know
 * when a trigger is due ({@link io.latchkey.jobs.TimeTable}) without a running Quartz. Knows nothing of ZooKeeper.
 */
@NullMarked
package io.latchkey.jobs;

import org.jspecify.annotations.NullMarked;
