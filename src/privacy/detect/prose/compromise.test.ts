import { expect, it } from "vitest";
import { findByCompromise } from "./compromise.ts";

it("finds English names, companies and places at their places in the text", async () => {
  const text = `${"Nothing is said here. ".repeat(300)}Yesterday Nancy Miller of Acme Corp. flew to Toronto.`;
  const findings = await findByCompromise(text);
  expect(findings.map(({ class: found, start, end }) => [found, text.slice(start, end)])).toEqual([
    ["NAME", "Nancy Miller"],
    ["COMPANY", "Acme Corp"],
    ["LOCATION", "Toronto"],
  ]);
});
