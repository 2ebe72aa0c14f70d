import { fileURLToPath } from "node:url";

/** The program that stands around an agent's in a sandbox and speaks the protocol of `protocol.json`. One for each runtime. */
export type GuestSpec = {
  readonly name: string;
  /** What it is started with: a tier has both, or says what is missing. */
  readonly runtime: GuestRuntime;
  /** Its first file. The folder of that file is all that a tier hands over of it. */
  readonly runner: string;
};

export type GuestRuntime = "deno" | "python";

/** Runs JavaScript, in Deno. */
export const JAVASCRIPT_GUEST: GuestSpec = {
  name: "javascript",
  runtime: "deno",
  runner: fileURLToPath(new URL("./guest/javascript/runner.js", import.meta.url)),
};

/** Runs Python, in CPython; in Pyodide its files but for the runner itself. */
export const PYTHON_GUEST: GuestSpec = {
  name: "python",
  runtime: "python",
  runner: fileURLToPath(new URL("./guest/python/runner.py", import.meta.url)),
};
