import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadedConfig } from "../config/load.ts";
import { errorMessage } from "../errors.ts";
import type { Language } from "../language/language.ts";
import { LANGUAGES } from "../language/languages.ts";
import { createSandbox } from "../sandbox/create-sandbox.ts";
import type { Sandbox, SandboxReport } from "../sandbox/sandbox.ts";
import { createTierStates, type MissingTier, toMissing } from "../sandbox/tier-states.ts";
import type { Tiers } from "../sandbox/tiers/tiers.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { Check } from "./doctor.ts";
import { toSecurityLevel } from "./policy/security-level.ts";
import { toDemanded } from "./tiers/choose-tier.ts";
import { toTiers } from "./tiers/configured-tiers.ts";

export type SandboxChecks = {
  readonly tiers: Tiers;
  readonly languages?: readonly [Language, ...Language[]];
  /** Whether it is enough to know which tiers are there. */
  readonly isQuick?: boolean;
  onProgress(text: string): void;
};

/** Each tier: what is missing, or which limits hold there, by really trying; and whether each language runs in it. */
export async function checkSandboxes({
  tiers,
  languages = LANGUAGES,
  isQuick = false,
  onProgress,
}: SandboxChecks): Promise<Check[]> {
  const states = createTierStates(tiers);
  const checks: Check[] = [];
  for (const tier of states.names) {
    onProgress(`Trying the tier "${tier}"`);
    const id = tier === states.names[0] ? "sandbox" : `sandbox ${tier}`;
    const missing = await states.missing(tier);
    if (missing !== undefined) checks.push(toMissingCheck(id, tier, missing, tier === states.names[0]));
    else if (isQuick) checks.push({ id, status: "ok", title: `Sandbox "${tier}": there`, detail: UNTRIED });
    else checks.push(...(await checkTier(id, tier, { tiers, languages, onProgress })));
  }
  return checks;
}

const UNTRIED = "none of its limits was tried (--quick)";

/** Without the weakest nothing runs by default; the others are for those who want them. */
function toMissingCheck(id: string, tier: string, { why, fix }: MissingTier, isNeeded: boolean): Check {
  const status = isNeeded ? "failed" : "limited";
  return { id, status, title: `Sandbox "${tier}": missing here`, detail: why, fix };
}

/** What the config demands: where that is missing, no program runs. */
export async function checkDemandedTier({ config, policies }: LoadedConfig): Promise<Check> {
  const states = createTierStates(toTiers(config));
  const wish = { level: toSecurityLevel(policies), mode: config.sandboxMode };
  const { name, by } = toDemanded(wish, states.names);
  const title = `Programs run in the tier "${name}"${wish.mode === "auto" ? ", or a stronger one if they risk much" : ""}`;
  const detail = by === "level" ? `securityLevel: ${wish.level}` : `sandboxMode: ${wish.mode}`;
  const missing = await states.missing(name);
  if (missing === undefined) return { id: "tier", status: "ok", title, detail };
  return {
    id: "tier",
    status: "failed",
    title: `No program runs: the tier "${name}" is missing here`,
    detail: `${detail}. ${missing.why}`,
    fix: missing.fix,
  };
}

async function checkTier(
  id: string,
  tier: string,
  options: Omit<Required<SandboxChecks>, "isQuick">,
): Promise<Check[]> {
  const { tiers, languages, onProgress } = options;
  const [first, ...others] = languages;
  const open = ({ guest }: Language) =>
    createSandbox({ tier, tiers, guest, poolSize: 0, limits: { cores: 1 } });
  let sandbox: Sandbox;
  try {
    sandbox = open(first);
  } catch (error) {
    return [toMissingCheck(id, tier, toMissing(error), tier === Object.keys(tiers)[0])];
  }
  const checks: Check[] = [];
  try {
    checks.push(...toLimitChecks(id, `Sandbox "${tier}"`, await sandbox.probe()));
    if (id === "sandbox") checks.push(await checkCommands(sandbox));
  } finally {
    await sandbox.close();
  }
  for (const language of others) {
    onProgress(`Trying ${language.title} in the tier "${tier}"`);
    checks.push(...(await checkLanguage(tier, language, () => open(language))));
  }
  return checks;
}

/** Which limits held when programs went for them. */
function toLimitChecks(id: string, place: string, { layers, limits }: SandboxReport): Check[] {
  const open = limits.filter(({ holds }) => !holds);
  const summary: Check = {
    id,
    status: open.length === 0 ? "ok" : "limited",
    title: `${place}: ${limits.length - open.length} of ${limits.length} limits hold`,
    detail: layers.join(", "),
  };
  const toCheck = ({ name, seen, fix, isUnknown }: (typeof open)[number]): Check => ({
    id: `${id} ${name}`,
    status: "limited",
    title: `${isUnknown ? "Not known" : "Not held"} here${id === "sandbox" ? "" : ` (${place})`}: ${name}`,
    detail: seen,
    fix,
  });
  return [summary, ...open.map(toCheck)];
}

/** Has it read and run a program that means the same in every language, and goes for each limit by programs of its own. */
async function checkLanguage(tier: string, language: Language, open: () => Sandbox): Promise<Check[]> {
  const id = `language ${language.name} ${tier}`;
  const title = `${language.title} runs in the tier "${tier}"`;
  const readers = language.createReaders({ servers: () => [] });
  let sandbox: Sandbox | undefined;
  try {
    const read = await readers.read("1 + 1", { types: false });
    if (!read.ok) return [{ id, status: "limited", title: `Not here: ${title}`, detail: read.error.message }];
    sandbox = open();
    const { code, modules } = read;
    const outcome = await sandbox.run({ code, modules, servers: [] }, NO_TOOLS);
    if (outcome.ok && outcome.value === 2) {
      const version = await readVersion(language, sandbox);
      const { layers, ...probed } = await sandbox.probe();
      const [first = "", ...walls] = layers;
      const told = version === undefined ? first : `${language.title} ${version}: ${first}`;
      return toLimitChecks(id, title, { ...probed, layers: [told, ...walls] });
    }
    const detail = outcome.ok ? "1 + 1 was not 2" : outcome.error.message;
    return [{ id, status: "limited", title: `Not here: ${title}`, detail }];
  } catch (error) {
    const { why, fix } = toMissing(error);
    return [{ id, status: "limited", title: `Not here: ${title}`, detail: why, fix }];
  } finally {
    readers.close();
    await sandbox?.close();
  }
}

/** Which one programs get, by their own word: what a tier was made of may be another than what is on the PATH. */
async function readVersion({ versionProgram }: Language, sandbox: Sandbox): Promise<string | undefined> {
  if (versionProgram === undefined) return undefined;
  const told = await sandbox.run({ code: versionProgram, modules: [], servers: [] }, NO_TOOLS);
  return told.ok && typeof told.value === "string" ? toExcerpt(told.value, 40) : undefined;
}

const NO_TOOLS = { callTool: () => Promise.reject(new Error("There are no tools here")) };

/** Runs one in a folder of its own. */
async function checkCommands({ commands }: Sandbox): Promise<Check> {
  const title = "Commands can be walled in, where the config allows any (runCommand)";
  const missing = commands.missing();
  if (missing !== undefined)
    return { id: "commands", status: "limited", title, fix: `None is run: ${missing}` };
  const dir = await mkdtemp(join(tmpdir(), "keyhole-"));
  try {
    const command = { command: "true", args: [], needs: [], input: new Uint8Array(), cwd: "" };
    const folder = { name: "workspace", dir, access: "write" } as const;
    const { signal } = new AbortController();
    const { code } = await commands.run(command, { folder, countedDirs: [], timeMs: 10_000, signal });
    if (code === 0) return { id: "commands", status: "ok", title };
    return { id: "commands", status: "limited", title, fix: `"true" ended with ${code}` };
  } catch (error) {
    return { id: "commands", status: "limited", title, fix: errorMessage(error) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
