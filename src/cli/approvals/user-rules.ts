import { mkdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseJson } from "../../config/files/parse-json.ts";
import { parseYaml } from "../../config/files/parse-yaml.ts";
import { toPlaces } from "../../config/places.ts";
import { readUserConfig, userConfigFile } from "../../config/user-config.ts";
import type { AlwaysRule } from "../../engine/approvals/always-rule.ts";
import { KeyholeError } from "../../errors.ts";
import { atomicWrite } from "../../store/atomic-write.ts";
import { isRecord } from "../../text/is-record.ts";
import { keepBackup } from "../init/keep-backup.ts";

/** What would be written into the user's own config. */
export type RulesChange = {
  readonly file: string;
  /** What is there now, if anything. */
  readonly before: string | undefined;
  readonly text: string;
};

/** The user's own config with these rules first, so that they decide; comments and the rest stay. Nothing is written. */
export async function planRules(rules: readonly AlwaysRule[], projectDir: string): Promise<RulesChange> {
  const places = toPlaces({ projectDir });
  // Whoever it belongs to, and whether it is right, is looked at first.
  const layer = await readUserConfig(places);
  const file = await userConfigFile(places);
  if (layer === undefined) return { file, before: undefined, text: toJson({ permissions: { rules } }) };
  const before = await readFile(file, "utf8");
  const text = file.endsWith(".json") ? await editJson(before, rules) : await editYaml(before, rules);
  const parsed = file.endsWith(".json") ? parseJson(text).data : parseYaml(text).data;
  if (!isDeepStrictEqual(plain(parsed), withRules(plain(layer.document.data), rules)))
    throw new KeyholeError(
      "file_conflict",
      `Cannot add a rule to "${file}" without changing the rest of it`,
      {
        hint: `Put it there by hand, first in permissions.rules: ${JSON.stringify(rules)}`,
      },
    );
  return { file, before, text };
}

export async function writeRules({ file, before, text }: RulesChange): Promise<void> {
  if (before === undefined) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return atomicWrite(file, text, { mode: 0o600 });
  }
  // Links to a folder of dotfiles stay links.
  const real = await realpath(file);
  if ((await readFile(real, "utf8")) !== before)
    throw new KeyholeError("file_conflict", `"${file}" has changed meanwhile, so it was not written`, {
      hint: "Try again",
    });
  await keepBackup(real);
  await atomicWrite(real, text, { mode: (await stat(real)).mode & 0o777 });
}

async function editJson(text: string, rules: readonly AlwaysRule[]): Promise<string> {
  const { applyEdits, findNodeAtLocation, modify, parseTree } = await import("jsonc-parser");
  const root = parseTree(text, [], { allowTrailingComma: true });
  const known = root && findNodeAtLocation(root, ["permissions", "rules"]);
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes("\r\n") ? "\r\n" : "\n" };
  if (known?.type !== "array" || (known.children ?? []).length === 0)
    return applyEdits(text, modify(text, ["permissions", "rules"], rules, { formattingOptions }));
  // Behind the bracket: whatever stands there, comments too, stays as it is.
  const first = known.children?.[0]?.offset ?? known.offset + 1;
  const gap = /^\s*/.exec(text.slice(known.offset + 1, first))?.[0] || " ";
  const written = rules.map((rule) => `${gap}${JSON.stringify(rule)},`).join("");
  return `${text.slice(0, known.offset + 1)}${written}${text.slice(known.offset + 1)}`;
}

async function editYaml(text: string, rules: readonly AlwaysRule[]): Promise<string> {
  const { isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(text, { merge: true });
  const known = document.getIn(["permissions", "rules"]);
  if (isSeq(known)) known.items.unshift(...rules.map((rule) => document.createNode(rule)));
  else document.setIn(["permissions", "rules"], document.createNode(rules));
  return document.toString({ lineWidth: 0 });
}

function withRules(data: unknown, rules: readonly AlwaysRule[]): unknown {
  const config = isRecord(data) ? data : {};
  const permissions = (config["permissions"] ?? {}) as { rules?: unknown[] | null };
  return plain({
    ...config,
    permissions: { ...permissions, rules: [...rules, ...(permissions.rules ?? [])] },
  });
}

/** The parsers make objects without a prototype, which count as different. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function toJson(data: object): string {
  return `${JSON.stringify(data, null, 2)}\n`;
}
