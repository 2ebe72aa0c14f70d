import { randomBytes } from "node:crypto";
import { constants } from "node:os";
import type { DiskUse, MachineEnd, StartSpec } from "../../machine/machine.ts";
import type { Folder } from "../../sandbox.ts";

const MAX_STDERR = 4096;
/** What folders take beside their files. */
const ENTRY_BYTES = 4096;
export const SEED_BYTES = 32;

/** The first message to a machine: the time and randomness, as the kernel's own calls take them. */
export function toAwakening(): Buffer {
  const message = Buffer.alloc(56);
  const now = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000));
  message.writeBigInt64LE(now / 1_000_000n, 0);
  message.writeBigInt64LE((now % 1_000_000n) * 1000n, 8);
  message.writeInt32LE(SEED_BYTES * 8, 16);
  message.writeInt32LE(SEED_BYTES, 20);
  message.set(randomBytes(SEED_BYTES), 24);
  return message;
}

/** What a template has, and each machine that goes on from it unless it is told otherwise. */
export type Preset = { readonly memoryBytes: number; readonly processes: number };

/** What the first process is told of a program before there is one: what is other than in the template. Nothing, mostly. */
export function toSettings(
  { limits, folders }: Pick<StartSpec, "limits" | "folders">,
  preset: Preset,
): string {
  const usual = toLimits(preset.memoryBytes, preset.processes, undefined);
  const own = toLimits(limits.memoryBytes, limits.processes, limits.cores);
  const lines = [
    ...(own === usual ? [] : [own]),
    ...folders.map(toFolderLine).filter((line) => line !== PRESET_FOLDER),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const toLimits = (memoryBytes: number, processes: number, cores: number | undefined) =>
  `limits ${memoryBytes} ${processes} ${toQuota(cores)}`;

const toFolderLine = ({ name, access }: Pick<Folder, "name" | "access">) =>
  `folder ${toName(name)} ${access === "write" ? 65534 : 0}`;

/** As `init.sh` makes it. */
const PRESET_FOLDER = toFolderLine({ name: "workspace", access: "write" });

/** Of each tenth of a second. */
function toQuota(cores: number | undefined): string {
  return cores === undefined || cores >= 1 ? "max" : String(Math.max(1000, Math.round(cores * 100_000)));
}

function toName(name: string): string {
  if (name.split("/").every((step) => /^[\w.-]+$/.test(step) && !/^\.+$/.test(step))) return name;
  throw new TypeError(`A folder with a name that is none: "${name}"`);
}

/** A count of the machine's, which may be anything. */
export function toMachineCount(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function toDiskUse([, ...counts]: readonly string[]): DiskUse | undefined {
  const [blockBytes, blocks, freeBlocks, inodes, freeInodes] = counts.map(toMachineCount);
  if (blockBytes === undefined || blocks === undefined || freeBlocks === undefined) return undefined;
  const entries = Math.max(0, (inodes ?? 0) - (freeInodes ?? 0));
  return { bytes: Math.max(blockBytes * (blocks - freeBlocks), entries * ENTRY_BYTES), entries };
}

/** As shells tell it: 128 and the number of the signal that ended it. */
export function toEnd([, code = "", kills = "", , said = ""]: readonly string[]): MachineEnd {
  const number = toMachineCount(code) ?? 1;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number - 128)?.[0];
  const oomKills = toMachineCount(kills) ?? 0;
  return {
    ...(number > 128 && isSignal(signal) ? { code: null, signal } : { code: number, signal: null }),
    stderr: Buffer.from(said, "base64").toString("utf8").slice(-MAX_STDERR),
    ...(oomKills > 0 ? { oomKills } : {}),
  };
}

export function isSignal(name: unknown): name is NodeJS.Signals {
  return typeof name === "string" && name in constants.signals;
}
