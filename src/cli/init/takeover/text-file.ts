import { lstat, mkdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorMessage, KeyholeError } from "../../../errors.ts";
import { atomicWrite } from "../../../store/atomic-write.ts";

/** A file as it was when it was looked at. Without content it was not there. */
export type TextFile = {
  /** As its program calls it; may be a link. */
  readonly file: string;
  /** What is written: a link to a folder of dotfiles stays one. */
  readonly target: string;
  /** To the last byte, a byte order mark included. */
  readonly content: string | undefined;
  readonly mode: number;
};

export const BYTE_ORDER_MARK = "\ufeff";

export async function readTextFile(file: string): Promise<TextFile> {
  const target = await realpath(file).catch(() => file);
  if (target === file && (await lstat(file).catch(() => undefined))?.isSymbolicLink())
    throw conflict(file, "it is a link that leads nowhere", "Remove the link, or create what it points to");
  const content = await readContent(target);
  const mode = content === undefined ? 0o600 : (await stat(target)).mode & 0o7777;
  return { file, target, content, mode };
}

/** Replaces it as a whole, unless it is no longer what was looked at. */
export async function replaceFile(before: TextFile, content: string): Promise<void> {
  await assertUnchanged(before);
  try {
    await mkdir(dirname(before.target), { recursive: true });
    await atomicWrite(before.target, content, { mode: before.mode, durable: true });
  } catch (error) {
    throw conflict(before.file, errorMessage(error), "Give yourself the right to write there");
  }
}

export async function assertUnchanged({ file, target, content }: TextFile): Promise<void> {
  if ((await readContent(target)) === content) return;
  throw conflict(
    file,
    "it was changed meanwhile by another program",
    "Nothing of that change is lost; run the command again",
  );
}

async function readContent(target: string): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(target));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw conflict(target, errorMessage(error), "Look at that file");
  }
}

function conflict(file: string, why: string, hint: string): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot write "${file}": ${why}`, { hint });
}
