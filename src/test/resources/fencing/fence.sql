-- once, and a row for each job
CREATE TABLE job_fence (job VARCHAR(200) PRIMARY KEY, token BIGINT NOT NULL);
CREATE TABLE job_done (fire_id VARCHAR(500) PRIMARY KEY);
INSERT INTO job_fence VALUES ('finance.report', 0);

-- each run, in the transaction of its own writes, before them
UPDATE job_fence SET token = :token WHERE job = :job AND token <= :token;
-- no row changed: a newer leader runs this job. Roll back, and fail
INSERT INTO job_done SELECT :fire_id WHERE NOT EXISTS (SELECT 1 FROM job_done WHERE fire_id = :fire_id);
-- no row changed: an earlier attempt has done it. Commit, so that the token counts, and succeed
