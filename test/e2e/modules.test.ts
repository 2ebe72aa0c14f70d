import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

const project = () => writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } });

describe("a program with Node's modules", () => {
  it("writes a report as programs for Node do, by import, by require and without either [run-modules]", async () => {
    const dir = await project();
    const code = `
      import { createHash } from "node:crypto";
      const { EOL } = require("os");
      const rows = [["name", "total"], ["a", 1], ["b", 2]];
      const file = path.join("./workspace", "report.csv");
      await fs.writeFile(file, rows.map((row) => row.join(",")).join(EOL));
      process.stdout.write("written\\n");
      return createHash("sha256").update(fs.readFileSync(file)).digest("hex").slice(0, 8);`;
    const { code: exit, stdout } = await keyhole(dir, ["run", "--json", "-e", code]);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: "7516403e", logs: [{ text: "written" }] });
    expect(await readFile(join(dir, "workspace/report.csv"), "utf8")).toBe("name,total\na,1\nb,2");
  });

  it("is refused before anything runs where it asks for what is not there [run-absent]", async () => {
    const dir = await project();
    for (const [code, instead] of [
      ['import axios from "axios"; console.log("ran")', "call a tool"],
      ['console.log("ran"); require("child_process").execSync("ls")', "start no processes"],
      ['console.log("ran"); await import("lodash")', "Object.groupBy"],
      ['import { watch } from "fs"; console.log("ran")', 'Module "fs" has no "watch"'],
    ] as const) {
      const { code: exit, stdout } = await keyhole(dir, ["run", "--json", "-e", code]);
      expect(exit).toBe(1);
      const { error, logs } = JSON.parse(stdout);
      expect(`${error.message}. ${error.hint}`).toContain(instead);
      expect(logs).toEqual([]);
    }
  });
});
