import { accessSync, constants, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { deliverSigned } from "../../network/webhook/post-signed.ts";
import type { WebhookTarget } from "../../network/webhook/webhook-target.ts";
import { type LooseCheckpoint, toCheckpointJson } from "../log/checkpoint-json.ts";

/** Where signed checkpoints are told outside of the log. */
export type AnchorTarget = { readonly file: string } | { readonly webhook: WebhookTarget };

/** As people know it; nothing secret in it. */
export function toAnchorName(target: AnchorTarget): string {
  return "file" in target ? target.file : target.webhook.url.origin;
}

/** A file in a folder that is not there is a mistake to be told at the start, and not when the first checkpoint is lost. */
export function assertAnchors(targets: readonly AnchorTarget[]): void {
  for (const target of targets) if ("file" in target) assertWritable(target.file);
}

function assertWritable(file: string): void {
  const folder = dirname(file);
  const fail = (why: string, hint: string) =>
    new KeyholeError("config_invalid", `Checkpoints can't be anchored in "${file}": ${why}`, { hint });
  const isFolder = look(folder)?.isDirectory() ?? false;
  if (!isFolder) throw fail(`there is no folder "${folder}"`, 'Make the folder, or mend "audit.anchors"');
  const stats = look(file);
  if (stats !== undefined && !stats.isFile())
    throw fail("it is not a file", 'Name a file in "audit.anchors"');
  try {
    accessSync(stats === undefined ? folder : file, constants.W_OK);
  } catch {
    throw fail("it can't be written to", "Make it writable for this user");
  }
}

function look(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Tells what stood against it. */
export async function tellAnchor(
  target: AnchorTarget,
  loose: LooseCheckpoint,
  signal: AbortSignal,
): Promise<string | undefined> {
  const body = JSON.stringify({ type: "checkpoint", ...toCheckpointJson(loose) });
  if ("webhook" in target)
    return deliverSigned(
      target.webhook,
      { purpose: "checkpoint", id: `${loose.log}.${loose.checkpoint.sequence}`, body },
      { signal },
    );
  try {
    await appendLine(target.file, body);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** In one write, and on the disk. */
async function appendLine(path: string, line: string): Promise<void> {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | (constants.O_NONBLOCK ?? 0), 0o600);
  try {
    await file.write(`${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
