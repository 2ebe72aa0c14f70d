import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Each as a user starts it, and what it must have come to. */
const EXAMPLES: readonly [name: string, says: RegExp][] = [
  ["library.js", /true.*5 calls made.*10/s],
  ["servers.js", /true.*42/s],
  ["task.js", /count-docs done/s],
  ["rows.js", /10000 orders, 337 large ones pending.*"country":"IT","orders":60/s],
  ["transcript.js", /76384 characters attached.*send the revised offer/s],
  ["job.js", /waited for it.*"rows":400,"open":274/s],
  ["contacts.js", /\[EMAIL_1\].*"created":1000.*in the CRM: the values themselves/s],
  [
    "agents.js",
    /analyst 1 was killed after \d+ batches.*analyst 2 did the other \d.*about 274 issues.*search: 2297/s,
  ],
  [
    "extraction.js",
    /killed after 3 pages.*goes on after page [23].*"rows":400.*400 issues in 8 files, 400 of them different/s,
  ],
  ["skill.js", /"name":"votes-by-area".*import \{ countVotes \} from.*"area":"search","votes":2297/s],
  ["components.js", /create something.*createToolIndex/s],
];

describe("the examples", () => {
  it.each(EXAMPLES)("%s runs as it stands [examples-run]", async (name, says) => {
    const { stdout, stderr } = await run(process.execPath, [`examples/${name}`], { cwd: ROOT });
    expect(stderr).toBe("");
    expect(stdout).toMatch(says);
  });
});
