package io.latchkey.jobs.http;

import java.time.Duration;

/**
 * What came back.
 *
 * @param status of the last of the answers, where redirects were followed
 * @param location where a redirect leads that was not followed, without query; empty if it is none
 * @param tail the end of the body as text, without secrets; at most 64 KiB of it
 * @param complete false if the body was longer than is read
 * @param took from the request's start to the body's end
 */
public record HttpAnswer(int status, String location, String tail, boolean complete, Duration took) {}
