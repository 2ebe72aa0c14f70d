import { access, constants, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { loadConfig } from "../config/load.ts";
import { toKeyholeError } from "../errors.ts";
import { canWatch, probeWatchdog } from "../mcp/watchdog.ts";
import { VERSION } from "../version.ts";

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
  const path = join(dir, ".keyhole");
  const title = "What Keyhole learns is kept between starts";
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    return { id: "state", status: "ok", title, detail: path };
  } catch (error) {
    const fix = `Make "${path}" writable: ${toKeyholeError(error).message}`;
    return { id: "state", status: "limited", title, fix };
  }
}

async function checkConfig(dir: string): Promise<Check[]> {
  try {
    const { files, servers, invalidServers } = await loadConfig({ projectDir: dir });
    const config: Check = {
      id: "config",
      status: "ok",
      title: files.length === 0 ? "No configuration file" : "Configuration",
      detail: files.join(", "),
    };
    const total = servers.length + invalidServers.length;
    if (total > 0) return [config, { id: "servers", status: "ok", title: `${total} servers configured` }];
    const fix = "Add a .mcp.json, or run `keyhole init` to take over the servers of another client";
    return [config, { id: "servers", status: "failed", title: "No MCP server is configured", fix }];
  } catch (error) {
    const { message, hint } = toKeyholeError(error);
    return [{ id: "config", status: "failed", title: message, fix: hint }];
  }
}
