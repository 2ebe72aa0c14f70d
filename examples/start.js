// What the examples share: a Keyhole with servers of `servers/`, in a folder of its own that is gone afterwards.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createKeyhole } from "keyhole-mcp";

/** @param servers by name: the arguments of each */
export async function startKeyhole(servers, options = {}) {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-example-"));
  const toEntry = ([name, args]) => [
    name,
    {
      command: process.execPath,
      args: [fileURLToPath(new URL(`servers/${name}.js`, import.meta.url)), ...args],
      // They are ours: what they say of their tools can be believed.
      trusted: true,
      cwd: dir,
    },
  ];
  const keyhole = await createKeyhole({
    servers: Object.fromEntries(Object.entries(servers).map(toEntry)),
    stateDir: dir,
    ...options,
  });
  const close = async () => {
    await keyhole.close();
    await rm(dir, { recursive: true, force: true });
  };
  return { keyhole, dir, close };
}

/** What the model has seen of a run, and what it would have seen without Keyhole. */
export function tell({ ok, text, receipt, error }) {
  console.log(text);
  console.log(
    `\nseen by the model: ${receipt.seenTokens} tokens; by calling the tools itself: ${receipt.directTokens}`,
  );
  if (!ok) {
    console.error(error?.message);
    process.exitCode = 1;
  }
}
