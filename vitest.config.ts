import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { createSkipReport } from "./test/skip-report.ts";

const reportFile = process.env["KEYHOLE_TEST_REPORT"];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ["test/own-machine.ts"],
    // Most wait for processes: on two cores one worker would leave half of them idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: [
      "default",
      createSkipReport(),
      ...(reportFile === undefined ? [] : [["json", { outputFile: reportFile }] as ["json", object]]),
    ],
    projects: [
      {
        extends: true,
        // Modules are loaded once for all files of a worker: that is a third of the work.
        test: {
          name: "unit",
          include: ["src/**/*.test.ts"],
          setupFiles: ["test/property-seed.ts"],
          isolate: false,
        },
      },
      { extends: true, test: { name: "check", include: ["test/check/**/*.test.ts"] } },
      { extends: true, test: { name: "integration", include: ["test/integration/**/*.test.ts"] } },
      {
        extends: true,
        test: { name: "sandbox", include: ["test/{sandbox,language,hostile/python}/**/*.test.ts"] },
      },
      { extends: true, test: { name: "e2e", include: ["test/e2e/**/*.test.ts"] } },
      {
        extends: true,
        // Alone on the machine and one file at a time: it judges how long others wait.
        test: {
          name: "hostile",
          include: ["test/hostile/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          maxWorkers: 1,
          maxConcurrency: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
