import { expect, it } from "vitest";
import { mayRunCommands, mayTouchFiles } from "./run-folder.ts";

const NO_FACTS = {
  ...{ lines: 1, complexity: 1, moreHits: 0, hits: [], tools: [], dynamic: [] },
  ...{ files: [], hosts: [], commands: [], flows: [] },
};

it.each([
  "import * as fs from 'fs'",
  "f(runCommand)",
  "f(run_command)",
  "import pathlib\nf(pathlib)",
  "from shutil import copy\nf(copy)",
])("takes it that files may be touched by %j", (code) => expect(mayTouchFiles(code, NO_FACTS)).toBe(true));

it.each([
  ["f(run_command)", true],
  ["f(runCommand)", true],
  ["return 1", false],
])("looks for commands in the names of both languages: %j", (code, may) =>
  expect(mayRunCommands(code, NO_FACTS)).toBe(may),
);

it("leaves a program alone that only computes", () => {
  expect(mayTouchFiles("return sum([1, 2])", NO_FACTS)).toBe(false);
});
