import { randomUUID } from "node:crypto";
import { lstat, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { untrustedNotice } from "../config/trust/untrusted-notice.ts";
import { errorMessage, toKeyholeError } from "../errors.ts";
import { LANGUAGES } from "../language/languages.ts";
import { canWatch, probeWatchdog } from "../process/watchdog.ts";
import { TIERS } from "../sandbox/tiers/tiers.ts";
import { createEndpoint } from "../search/embeddings/endpoint.ts";
import { openStateDir, STATE_FOLDER } from "../store/state-dir.ts";
import { createKeyholeCommand } from "../text/keyhole-command.ts";
import { toExcerpt } from "../text/plain-text.ts";
import { VERSION } from "../version.ts";
import { toWebhookSettings } from "./approvals/webhook.ts";
import { checkAudit } from "./check-audit.ts";
import { checkJournal } from "./check-journal.ts";
import { checkDemandedTier, checkSandboxes } from "./check-sandboxes.ts";
import { checkVault } from "./check-vault.ts";
import { toEmbeddings } from "./own-tools/search-of.ts";
import { assertServers } from "./project.ts";
import { discoverSkills, withDiscovered } from "./skills/discovered-skills.ts";
import { toTiers } from "./tiers/configured-tiers.ts";

/** One thing that was really tried, and what to do when it does not work. */
export type Check = {
  readonly id: string;
  readonly status: "ok" | "limited" | "failed";
  readonly title: string;
  readonly detail?: string;
  readonly fix?: string;
};

const OLDEST_NODE = [20, 19] as const;

export type Checked = { readonly projectDir: string; readonly trust: boolean };

/** Of the project only where its tiers are. */
export async function checkMachine(
  { projectDir, trust, isQuick }: Checked & { readonly isQuick: boolean },
  onProgress: (text: string) => void,
): Promise<Check[]> {
  const tiers = await loadConfig({ projectDir: resolve(projectDir), trust }).then(
    ({ config }) => toTiers(config),
    // What is wrong with it is a check of its own.
    () => TIERS,
  );
  const sandboxes = await checkSandboxes({ tiers, isQuick, onProgress });
  return [checkNode(), await checkWatchdog(), await checkReading(), ...sandboxes];
}

/** Has a program read that would take some gigabytes of memory, and one after it. */
async function checkReading(): Promise<Check> {
  const title = "Programs are read in a process of their own, within limits";
  const readers = LANGUAGES[0].createReaders({ servers: () => [] });
  try {
    const bomb = await readers.read("let;".repeat(40_000), { types: false });
    const next = await readers.read("return 1", { types: true });
    const isHeld = !bomb.ok && bomb.error.kind === "too_large";
    if (isHeld && next.ok) return { id: "reading", status: "ok", title, detail: next.skipped };
    const fix = "Install Keyhole again, and look whether Node can start processes here";
    return { id: "reading", status: "failed", title, fix };
  } finally {
    readers.close();
  }
}

export async function checkProject({ projectDir, trust }: Checked): Promise<Check[]> {
  const dir = resolve(projectDir);
  return [await checkState(dir), ...(await checkConfig(dir, trust))];
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [needMajor, needMinor] = OLDEST_NODE;
  const isRecent = major > needMajor || (major === needMajor && minor >= needMinor);
  const title = `Node ${process.versions.node}`;
  const detail = `keyhole ${VERSION} on ${process.platform} ${process.arch}`;
  if (isRecent) return { id: "node", status: "ok", title, detail };
  return {
    id: "node",
    status: "failed",
    title,
    detail,
    fix: `Install Node ${needMajor}.${needMinor} or newer`,
  };
}

async function checkWatchdog(): Promise<Check> {
  const title = "Servers end with Keyhole, also when it is killed";
  if (await probeWatchdog()) return { id: "watchdog", status: "ok", title };
  if (canWatch) {
    return {
      id: "watchdog",
      status: "failed",
      title,
      fix: "Servers over stdio need a working /bin/sh and kill",
    };
  }
  const fix =
    "On this platform a killed Keyhole only closes its servers' stdin: prefer servers that end on that";
  return { id: "watchdog", status: "limited", title, fix };
}

/** Writes and reads a file where the state is, or would be. */
async function checkState(dir: string): Promise<Check> {
  const title = "What Keyhole learns is kept between starts";
  const path = join(dir, STATE_FOLDER);
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  try {
    const state = await openStateDir(dir);
    const canWrite = isThere
      ? await state.inFolder([], { make: false }, (folder) => canKeep(folder.path))
      : await canKeep(dir);
    if (canWrite) return { id: "state", status: "ok", title, detail: path };
    const fix = `Make "${isThere ? path : dir}" a folder that can be written to`;
    return { id: "state", status: "limited", title, fix };
  } catch (error) {
    return { id: "state", status: "failed", title, fix: errorMessage(error) };
  }
}

async function canKeep(dir: string): Promise<boolean> {
  const probe = join(dir, `.keyhole-${randomUUID()}.tmp`);
  try {
    await writeFile(probe, probe, { flag: "wx", mode: 0o600 });
    return (await readFile(probe, "utf8")) === probe;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

async function checkEmbeddings({ config }: LoadedConfig): Promise<Check[]> {
  const title = "Search by meaning";
  try {
    const settings = toEmbeddings(config, process.env);
    if (settings === undefined) return [];
    const endpoint = createEndpoint(settings);
    const [vector] = await endpoint.embed(["list the files"], AbortSignal.timeout(settings.timeoutMs));
    const detail = `${settings.model}, ${vector?.length ?? 0} dimensions`;
    return [{ id: "embeddings", status: "ok", title, detail }];
  } catch (error) {
    const { message, hint } = toKeyholeError(error);
    return [{ id: "embeddings", status: "limited", title, detail: message, fix: hint }];
  }
}

/** Without it nothing runs: people would be asked in vain. */
function checkWebhook({ config }: LoadedConfig): Check[] {
  const id = "webhook";
  try {
    const settings = toWebhookSettings(config, process.env);
    if (settings === undefined) return [];
    return [{ id, status: "ok", title: "Questions are posted to a webhook", detail: settings.url.origin }];
  } catch (error) {
    const { message, hint } = toKeyholeError(error);
    return [{ id, status: "failed", title: message, fix: hint }];
  }
}

async function checkConfig(dir: string, trust: boolean): Promise<Check[]> {
  const checks: Check[] = [];
  try {
    const discovered = await discoverSkills({ projectDir: dir, trust });
    const config = withDiscovered(await loadConfig({ projectDir: dir, trust }), discovered);
    const title = config.files.length === 0 ? "No configuration file" : "Configuration";
    checks.push({ id: "config", status: "ok", title, detail: config.files.join(", ") || undefined });
    checks.push(await checkJournal(dir, config.config), await checkAudit(dir, config), await checkVault(dir));
    for (const text of untrustedNotice(config.brought, dir))
      checks.push({
        id: "trust",
        status: "limited",
        title: text,
        fix: `Run \`${createKeyholeCommand(dir)("trust")}\``,
      });
    for (const { place, problem } of discovered.problems)
      checks.push({
        id: "skills",
        status: "limited",
        title: `Skill ${toExcerpt(place)} is left out: ${problem}`,
      });
    checks.push(...checkWebhook(config), await checkDemandedTier(config));
    assertServers(config);
    const total = config.servers.length + config.invalidServers.length;
    const isOn = config.config.enabled;
    checks.push({
      id: "servers",
      status: isOn ? "ok" : "failed",
      title: `${total} server${total === 1 ? "" : "s"} configured`,
      fix: isOn ? undefined : 'Keyhole is switched off by "enabled": false; take that out to use them',
    });
    checks.push(...(await checkEmbeddings(config)));
  } catch (error) {
    const { message, hint } = toKeyholeError(error);
    checks.push({
      id: checks.length === 0 ? "config" : "servers",
      status: "failed",
      title: message,
      fix: hint,
    });
  }
  return checks;
}
