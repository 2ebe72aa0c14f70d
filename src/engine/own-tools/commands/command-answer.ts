import type { CommandEnd } from "../../../sandbox/sandbox.ts";
import type { CommandRequest } from "./command-request.ts";

/** How a command ended, as JSON. The guest makes bytes of `stdoutBase64`. */
export function toCommandAnswer(end: CommandEnd, { encoding }: Pick<CommandRequest, "encoding">) {
  const { code, stdout, stderr, stoppedBy } = end;
  const isBinary = encoding === "utf8" && !isText(stdout.bytes, stdout.cutBytes > 0);
  const cut = {
    ...(stdout.cutBytes > 0 ? { stdout: stdout.cutBytes } : {}),
    ...(stderr.cutBytes > 0 ? { stderr: stderr.cutBytes } : {}),
  };
  return {
    code,
    ...(encoding === "buffer" ? { stdoutBase64: toBase64(stdout.bytes) } : { stdout: toText(stdout) }),
    stderr: toText(stderr),
    ...(stoppedBy === undefined ? {} : { stoppedBy }),
    ...(Object.keys(cut).length > 0 ? { cut } : {}),
    ...(isBinary ? { isBinary } : {}),
  };
}

/** Where it was cut, half a character is left at the end. */
function toText({ bytes, cutBytes }: CommandEnd["stdout"]): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: cutBytes > 0 });
}

function isText(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
