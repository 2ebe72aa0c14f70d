import { access, constants } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadConfig } from "../config/load.ts";
import { errorMessage, toKeyholeError } from "../errors.ts";
import { canWatch, probeWatchdog } from "../mcp/watchdog.ts";
import { VERSION } from "../version.ts";
import { assertServers } from "./project.ts";

/** One thing that was really tried, and what to do when it does not work. */
export type Check = {
  readonly id: string;
  readonly status: "ok" | "limited" | "failed";
  readonly title: string;
  readonly detail?: string;
  readonly fix?: string;
};

const OLDEST_NODE = [20, 19] as const;

export async function checkMachine(): Promise<Check[]> {
  return [checkNode(), await checkWatchdog()];
}

export async function checkProject(projectDir: string): Promise<Check[]> {
  const dir = resolve(projectDir);
  return [await checkState(dir), ...(await checkConfig(dir))];
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

async function checkState(dir: string): Promise<Check> {
  const title = "What Keyhole learns is kept between starts";
  const path = join(dir, ".keyhole");
  const place = await access(path).then(
    () => path,
    () => dir,
  );
  try {
    await access(place, constants.W_OK);
    return { id: "state", status: "ok", title, detail: path };
  } catch (error) {
    return { id: "state", status: "limited", title, fix: `Make "${place}" writable: ${errorMessage(error)}` };
  }
}

async function checkConfig(dir: string): Promise<Check[]> {
  const checks: Check[] = [];
  try {
    const config = await loadConfig({ projectDir: dir });
    const title = config.files.length === 0 ? "No configuration file" : "Configuration";
    checks.push({ id: "config", status: "ok", title, detail: config.files.join(", ") });
    assertServers(config);
    const total = config.servers.length + config.invalidServers.length;
    checks.push({ id: "servers", status: "ok", title: `${total} servers configured` });
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
