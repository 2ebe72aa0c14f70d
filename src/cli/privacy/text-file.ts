import { createReadStream } from "node:fs";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/** The whole text of a file; `-` is standard input. */
export async function readLargeText(file: string): Promise<string> {
  const shown = file === "-" ? "Standard input" : `"${toExcerpt(file, 200)}"`;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > MAX_BYTES)
        throw new KeyholeError("too_large", `${shown} is larger than ${MAX_BYTES / 1024 / 1024} MB`, {
          hint: "Split it",
        });
      chunks.push(piece);
    }
  } catch (error) {
    if (error instanceof KeyholeError) throw error;
    throw new KeyholeError("usage", `Cannot read ${shown}: ${describeFailure(error)}`, {
      hint: "Name a file that exists and can be read, or - for standard input",
      cause: error,
    });
  }
  return decode(Buffer.concat(chunks), shown);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};

function describeFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? errorMessage(error);
}

function decode(content: Buffer, shown: string): string {
  const noText = (why: string) =>
    new KeyholeError("usage", `${shown} is no text: ${why}`, { hint: "Give it a file of text, in UTF-8" });
  if (content.includes(0)) throw noText("there are zero bytes in it");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw noText("it is not UTF-8");
  }
}
