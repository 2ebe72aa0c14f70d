import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { tempDir } from "../../../test/fixtures/project.ts";
import { planRules, writeRules } from "./user-rules.ts";

const RULE = { server: "post", fingerprint: "f1", tool: "send", onlyArgs: true, decision: "allow" } as const;
const WRITTEN = JSON.stringify(RULE);

async function home(name?: string, text = "") {
  const base = await tempDir();
  vi.stubEnv("XDG_CONFIG_HOME", base);
  await mkdir(join(base, "keyhole"));
  if (name !== undefined) await writeFile(join(base, "keyhole", name), text);
  return join(base, "keyhole");
}

async function add(): Promise<string> {
  const change = await planRules([RULE], await tempDir());
  await writeRules(change);
  return readFile(change.file, "utf8");
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the user's own config", () => {
  it("is made where there is none", async () => {
    await home();
    expect(JSON.parse(await add())).toEqual({ permissions: { rules: [RULE] } });
  });

  it.each([
    [
      '{ "permissions": { "rules": [{ "decision": "ask" }] } }',
      `{ "permissions": { "rules": [ ${WRITTEN},{ "decision": "ask" }] } }`,
    ],
    [
      '{\n  // mine\n  "permissions": {\n    "rules": [\n      // first\n      { "decision": "ask" }, // last\n    ],\n  },\n}\n',
      `{\n  // mine\n  "permissions": {\n    "rules": [\n      ${WRITTEN},\n      // first\n      { "decision": "ask" }, // last\n    ],\n  },\n}\n`,
    ],
  ])("has it first, and the rest as it was: %s", async (before, after) => {
    await home("config.json", before);
    expect(await add()).toBe(after);
  });

  it("keeps its other keys and comments where it has no rules yet", async () => {
    await home(
      "config.json",
      '{\n  // mine\n  "securityLevel": "high",\n  "permissions": { "level": "read_only", "rules": [] }\n}\n',
    );
    const text = await add();
    expect(text).toContain("// mine");
    expect(text).toContain('"level": "read_only"');
  });

  it("keeps the comments of YAML", async () => {
    await home("config.yaml", "# mine\npermissions:\n  rules:\n    # why\n    - { decision: ask } # last\n");
    const text = await add();
    expect(text.indexOf("server: post")).toBeLessThan(text.indexOf("decision: ask"));
    for (const comment of ["# mine", "# why", "# last"]) expect(text).toContain(comment);
  });

  it("stays a link, and is not written when it has changed meanwhile", async () => {
    const dir = await home();
    const dotfile = join(await tempDir(), "dotfile.json");
    await writeFile(dotfile, "{}");
    await symlink(dotfile, join(dir, "config.json"));
    const late = await planRules([RULE], await tempDir());
    await add();
    expect(await readFile(dotfile, "utf8")).toContain(RULE.tool);
    await expect(writeRules(late)).rejects.toThrow("changed meanwhile");
  });

  it("that is wrong is not touched", async () => {
    await home("config.json", '{ "permissions": { "rules": 5 } }');
    await expect(planRules([{ ...RULE }], await tempDir())).rejects.toThrow();
  });
});
