import { it } from "vitest";
import { until } from "../../../test/fixtures/processes.ts";
import { tempDir } from "../../../test/fixtures/project.ts";
import { watchDisk } from "./disk-watch.ts";

const MORE_BYTES = 5 * 1024 * 1024;

it("a look that fails is followed by another one", async () => {
  let looks = 0;
  const { note } = watchDisk({
    dirs: [await tempDir()],
    maxBytes: 1e12,
    setStopped() {},
    onLook() {
      looks++;
      throw new Error("No file can be opened");
    },
  });
  note(0);
  let writtenBytes = 0;
  await until(() => {
    writtenBytes += MORE_BYTES;
    note(writtenBytes);
    return looks >= 3;
  }, "a third look");
});
