import { toBytes } from "./binary.js";

/** @typedef {(tool: string, args: unknown, options?: unknown) => Promise<unknown>} CallOwn */

/**
 * `runCommand` of a program: bytes go as base64, and come back so where they are asked for.
 * @param {CallOwn} callOwn
 * @returns {(command: unknown, args?: unknown, options?: unknown) => Promise<unknown>}
 */
export function createRunCommand(callOwn) {
  const decode = atob;
  return async (command, args, options) => {
    const { input, cwd, encoding, timeoutMs, signal } = /** @type {{ [key: string]: unknown }} */ (
      options ?? {}
    );
    const bytes = typeof input === "object" && input !== null ? toBytes(input) : undefined;
    const answer = await callOwn(
      "runCommand",
      { command, args, cwd, encoding, timeoutMs, ...(bytes ? { inputBase64: bytes } : { input }) },
      { signal },
    );
    const { stdoutBase64, ...rest } = /** @type {{ stdoutBase64?: string }} */ (answer);
    if (stdoutBase64 === undefined) return rest;
    return { ...rest, stdout: Uint8Array.from(decode(stdoutBase64), (character) => character.charCodeAt(0)) };
  };
}
