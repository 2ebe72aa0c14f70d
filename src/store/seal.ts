import { createHmac, timingSafeEqual } from "node:crypto";

/** Tells what this user's Keyhole wrote in this project from what came with a repository or from another user. */
export type Seal = {
  /** A keyed hash: lets the state tell whether a secret changed without telling what it is. */
  fingerprint(text: string): string;
  /** That a text was written here, for this purpose: what is kept elsewhere than in a file of its own has its proof beside it. */
  prove(purpose: string, text: string): string;
  /** The data, and on a line of its own the proof that it was written here, under this name. */
  close(name: string, data: unknown): string;
  /** Nothing unless the proof is right. */
  open(name: string, content: Buffer): unknown;
};

const HEX = 64;
/** `"<64 digits>"`, with the newlines before and after it. */
const TAIL_BYTES = HEX + 4;

export function createSeal(userKey: Buffer, projectDir: string): Seal {
  const key = createHmac("sha256", userKey).update(projectDir).digest();

  function proveFile(name: string, json: Buffer | string): string {
    return createHmac("sha256", key).update(`seal\n${name}\n`).update(json).digest("hex");
  }

  return {
    fingerprint: (text) =>
      createHmac("sha256", key).update(`fingerprint\n${text}`).digest("hex").slice(0, 32),
    prove: (purpose, text) => createHmac("sha256", key).update(`proof\n${purpose}\n${text}`).digest("hex"),
    close(name, data) {
      const json = JSON.stringify(data);
      return `${json}\n"${proveFile(name, json)}"\n`;
    },
    open(name, content) {
      const end = content.length - TAIL_BYTES;
      if (end < 0) return undefined;
      const proof = Buffer.from(`\n"${proveFile(name, content.subarray(0, end))}"\n`);
      if (!timingSafeEqual(proof, content.subarray(end))) return undefined;
      return JSON.parse(content.toString("utf8", 0, end));
    },
  };
}
