import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStateDir } from "../../store/state-dir.ts";
import { markCancelled, watchCancelMarks } from "./cancel-marks.ts";

const RUN = "r_0123456789abcdef";
const unknown = async () => false;

async function open() {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-cancel-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return openStateDir(dir);
}

it("says that a run ended when it did, not when it was told to, to everybody who asked", async () => {
  const state = await open();
  const seen: string[] = [];
  let underWay = [RUN];
  const watch = watchCancelMarks(
    state,
    () => underWay,
    () => {
      seen.push("told");
      setTimeout(() => {
        seen.push("ended");
        underWay = [];
      }, 300);
    },
  );
  watch.look();
  const answers = [1, 2].map(async () => seen.push(await markCancelled(state, RUN, unknown)));
  await Promise.all(answers);
  expect(seen).toEqual(["told", "ended", "ended", "ended"]);
  await watch.close();
});

it("takes a mark that another one has taken back for no answer", async () => {
  const state = await open();
  const first = markCancelled(state, RUN, unknown);
  const second = markCancelled(state, RUN, unknown);
  expect(await Promise.all([first, second])).toEqual(["untaken", "untaken"]);
});

it("fails where no mark can be left", async () => {
  const gone = join((await open()).path, "gone");
  const folder = { path: gone } as never;
  await expect(
    markCancelled({ inFolder: (_steps, _options, work) => work(folder) }, RUN, unknown),
  ).rejects.toMatchObject({ code: "file_conflict" });
});

it("is over when the run has ended, though somebody left another mark meanwhile", async () => {
  const state = await open();
  const marks = join(state.path, "cancel");
  const running = new Set([RUN]);
  const watch = watchCancelMarks(
    state,
    () => [...running],
    async () => {
      // As one that looked between the two names does; no process looks at it after the run's end.
      await expect.poll(() => existsSync(join(marks, `${RUN}.ending`))).toBe(true);
      running.delete(RUN);
      await writeFile(join(marks, RUN), "");
    },
  );
  watch.look();
  expect(await markCancelled(state, RUN, unknown)).toBe("ended");
  expect(existsSync(join(marks, RUN))).toBe(false);
  await watch.close();
});
