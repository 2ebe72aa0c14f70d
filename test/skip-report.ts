import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Names at the end what could not be tried on this machine: a skipped test must not look like a passed one. */
export function createSkipReport(): Reporter {
  let isFiltered = false;
  return {
    onInit(vitest: Vitest) {
      // Then the user left tests out by name, and knows it.
      isFiltered = vitest.config.testNamePattern !== undefined;
    },
    onTestRunEnd(modules: readonly TestModule[]) {
      const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
      if (isFiltered || skipped.length === 0) return;
      console.log(`Not tried on this machine (${skipped.length}):`);
      for (const test of skipped) console.log(`  ${test.module.relativeModuleId}: ${test.fullName}`);
    },
  };
}
