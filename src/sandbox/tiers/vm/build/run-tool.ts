import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { KeyholeError } from "../../../../errors.ts";
import { toExcerpt } from "../../../../text/plain-text.ts";

export type ToolOptions = {
  readonly signal: AbortSignal;
  readonly cwd?: string;
  /** What to do when it fails or is not there. */
  readonly hint?: string;
};

const OUTPUT_BYTES = 4 * 1024 * 1024;

/** Runs a program of the system's to its end. What it needs of the environment is where programs are, and where the network is. */
export async function runTool(
  command: string,
  args: readonly string[],
  { signal, cwd, hint }: ToolOptions,
): Promise<string> {
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`, LC_ALL: "C" };
  try {
    const { stdout } = await promisify(execFile)(command, [...args], {
      signal,
      env,
      ...(cwd === undefined ? {} : { cwd }),
      maxBuffer: OUTPUT_BYTES,
    });
    return stdout;
  } catch (error) {
    if (signal.aborted) throw new KeyholeError("cancelled", "It was cancelled", { cause: error });
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    const why = said === "" && error instanceof Error ? error.message : said;
    throw new KeyholeError("command_not_found", `Cannot run "${command}": ${toExcerpt(why, 400)}`, {
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
  }
}
