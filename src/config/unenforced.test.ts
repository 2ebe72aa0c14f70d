import { join } from "node:path";
import { expect, test } from "vitest";
import { writeProject } from "../../test/fixtures/project.ts";
import { loadConfig } from "./load.ts";

async function unenforced(config: unknown, mcpJson: unknown = {}) {
  const dir = await writeProject({ "keyhole.config.json": config, ".mcp.json": mcpJson });
  const loaded = await loadConfig({ projectDir: dir, homeDir: dir, env: {}, trust: true });
  expect(loaded.notices).toEqual(expect.arrayContaining(loaded.unenforced));
  return { dir, texts: loaded.unenforced };
}

test("a protection that is asked for and is not there is told, with its place", async () => {
  const { dir, texts } = await unenforced({ auditLogging: true });
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain(`${join(dir, "keyhole.config.json")}:1:2: "auditLogging" is not carried out`);
});

test("also in the block of .mcp.json", async () => {
  const { texts } = await unenforced({}, { mcpCodeExecution: { auditLogging: true } });
  expect(texts).toEqual([expect.stringContaining('"auditLogging"')]);
  const off = await unenforced({ auditLogging: false }, { mcpCodeExecution: { auditLogging: true } });
  expect(off.texts).toEqual([]);
});

test("nothing is told of what is not asked for, or is so anyway", async () => {
  const quiet = {
    piiTokenization: true,
    auditLogging: false,
    resourceLimits: { cpu: 0.5, memory: "1GB" },
  };
  expect((await unenforced(quiet)).texts).toEqual([]);
  expect((await unenforced({})).texts).toEqual([]);
});
