import { expect, it } from "vitest";
import { createKeyholeCommand } from "./keyhole-command.ts";

it.each([
  ["/home/ann/work", "keyhole runs list"],
  [".", "keyhole runs list"],
  ["../other", "keyhole runs list --project /home/ann/other"],
  ["/home/ann/my work; $(x)", "keyhole runs list --project '/home/ann/my work; $(x)'"],
  ["it's", "keyhole runs list --project '/home/ann/work/it'\\''s'"],
])("a command for the project %j is %j", (project, command) => {
  expect(createKeyholeCommand(project, "/home/ann/work")("runs list")).toBe(command);
});
