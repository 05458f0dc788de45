/**
 * When a job is due: cron expressions, evaluated by our own arithmetic.
 *
 * <p>{@link io.latchkey.jobs.cron.CronSchedule} is the one rule that says whether a Quartz expression is valid and when it
 * fires; {@link io.latchkey.jobs.cron.LatchkeyCronTrigger} brings those times to Quartz, whose own evaluator loses fires
 * around the hour that comes twice. {@link io.latchkey.jobs.cron.UnixCron} makes schedules of crontab lines.
 *
 * <p>One rule holds for both where a zone shifts its clocks. A fire whose wall-clock time is skipped does not happen. In a
 * stretch that comes twice, an expression whose hour field names hours is a fixed time and fires once, in the second pass;
 * one whose hour field holds a wildcard or a step keeps its rhythm through both passes.
 */
@NullMarked
package io.latchkey.jobs.cron;

import org.jspecify.annotations.NullMarked;
