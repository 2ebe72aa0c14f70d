import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

/** The names in the first line with arrows after a mention of the file. */
async function listedAfter(file: string): Promise<string[]> {
  const text = await read("ARCHITECTURE.md");
  const line = text.slice(text.indexOf(`\`${file}\`:`)).split("\n")[1] ?? "";
  return line.split("→").map((part) => /`(\w+)`/.exec(part)?.[1] ?? part);
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  expect(from, start).toBeGreaterThan(-1);
  return text.slice(from + start.length, text.indexOf(end, from + start.length));
}

/** What is called in it, in its order; no methods. */
function calledIn(code: string): string[] {
  return [...code.matchAll(/(?<![.\w])(\w+)\(/g)].map(([, name = ""]) => name);
}

/** They are the map's two most important lines: whoever adds a stage looks there first. */
describe("ARCHITECTURE.md has", () => {
  it("the stages of a run as they stand in the code", async () => {
    const code = between(await read("src/engine/run/run.ts"), "export function runProgram(", "\n}\n");
    const stages = calledIn(between(`${code}\n}`, "{\n", "\n}"));
    expect(stages.length).toBeGreaterThan(4);
    expect(await listedAfter("engine/run/run.ts")).toEqual(stages);
  });

  it("the stages of a call as they stand in the code", async () => {
    const code = await read("src/engine/call/stages.ts");
    const list = between(between(code, "export function toStages(", "\n}\n"), "return [", "\n  ];");
    const lines = list
      .split("\n")
      .filter((line) => !/^\s*(\/\/.*)?$/.test(line))
      .map((line) => /^\s+(?:create)?(\w+)(?:\(.*\))?,$/.exec(line)?.[1] ?? `not one line: ${line.trim()}`);
    const last = /createSend/.exec(code)?.[0].replace("create", "") ?? "";
    const stages = [...lines, last].map((name) => name.toLowerCase());
    expect(stages.length).toBeGreaterThan(4);
    const listed = await listedAfter("engine/call/stages.ts");
    expect(listed.map((name) => name.toLowerCase())).toEqual(stages);
  });
});
