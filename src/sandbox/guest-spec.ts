import { fileURLToPath } from "node:url";

/** The program that stands around an agent's in a sandbox and speaks the protocol of `protocol.json`. One for each runtime. */
export type GuestSpec = {
  readonly name: string;
  /** Its first file. The folder of that file is all that a tier hands over of it. */
  readonly runner: string;
};

/** Runs JavaScript, in Deno. */
export const JAVASCRIPT_GUEST: GuestSpec = {
  name: "javascript",
  runner: fileURLToPath(new URL("./guest/javascript/runner.js", import.meta.url)),
};
