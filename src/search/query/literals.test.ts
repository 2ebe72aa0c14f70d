import { expect, it } from "vitest";
import { readLiterals } from "./literals.ts";

it.each([
  ["save it to /root/notes/today.md please", "save it to markdown file please"],
  ["open C:\\temp\\sales.xlsx", "open excel"],
  ["what is in ./src/search", "what is in directory"],
  ["read https://example.com/a/b.pdf now", "read url now"],
  ["summarize report.pdf", "summarize pdf file"],
  ["is example.com free and/or taken", "is example.com free and/or taken"],
])("reads %j as %j", (query, read) => expect(readLiterals(query).replace(/\s+/g, " ").trim()).toBe(read));
