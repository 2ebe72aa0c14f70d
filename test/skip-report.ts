import type { Reporter, TestModule } from "vitest/node";

/** Names at the end what could not be tried on this machine: a skipped test must not look like a passed one. */
export const skipReport: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    if (skipped.length === 0) return;
    console.log(`Not tried on this machine (${skipped.length}):`);
    for (const test of skipped) console.log(`  ${test.module.relativeModuleId}: ${test.fullName}`);
  },
};
