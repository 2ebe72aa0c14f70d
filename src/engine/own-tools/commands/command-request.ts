import { KeyholeError } from "../../../errors.ts";

/** What a program asks to be run, checked. */
export type CommandRequest = {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: Uint8Array;
  /** In ./workspace; empty for the folder itself. */
  readonly cwd: string;
  readonly timeoutMs: number | undefined;
  readonly encoding: "utf8" | "buffer";
};

const MAX_NAME = 64;
const MAX_ARGS = 1_000;
/** The kernel takes more, but not in one argument. */
const MAX_ARGS_BYTES = 100_000;
const EXAMPLE = 'For example the command "git" with the arguments ["log", "-5"]';

/** The arguments are the program's word. */
export function toCommandRequest(asked: unknown): CommandRequest {
  const { command, args, input, inputBase64, cwd, timeoutMs, encoding } = Object(asked);
  return {
    command: toName(command),
    args: toArgs(args),
    input: toInput(input, inputBase64),
    cwd: toFolder(cwd),
    timeoutMs:
      isAbsent(timeoutMs) || isTime(timeoutMs)
        ? (timeoutMs ?? undefined)
        : refuse("timeoutMs", "milliseconds"),
    encoding:
      isAbsent(encoding) || encoding === "utf8" || encoding === "buffer"
        ? (encoding ?? "utf8")
        : refuse("encoding", '"utf8" or "buffer"'),
  };
}

function toName(command: unknown): string {
  if (typeof command !== "string" || command === "") return refuse("command", "the name of a command");
  if (command.includes(" "))
    return refuse("command", "the name alone: there is no shell, arguments are a list of their own");
  if (command.includes("/") || command.length > MAX_NAME)
    return refuse("command", "a bare name: commands are looked for in the system's own folders");
  return command;
}

function toArgs(args: unknown): string[] {
  if (isAbsent(args)) return [];
  if (!Array.isArray(args) || args.length > MAX_ARGS)
    return refuse("args", `a list of at most ${MAX_ARGS} texts`);
  const texts = args.map((one: unknown) => {
    if (typeof one === "number") return String(one);
    return typeof one === "string" && !one.includes("\0") ? one : refuse("args", "a list of texts");
  });
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  return bytes > MAX_ARGS_BYTES
    ? refuse("args", `shorter than ${MAX_ARGS_BYTES} bytes: hand data over as input`)
    : texts;
}

function toInput(text: unknown, base64: unknown): Uint8Array {
  if (typeof base64 === "string") {
    const bytes = Buffer.from(base64, "base64");
    // Whoever has changed one of them meant it.
    if (!isAbsent(text) && bytes.toString() !== text)
      return refuse("input", "the same as inputBase64, or alone");
    return bytes;
  }
  if (isAbsent(text)) return new Uint8Array();
  return typeof text === "string" ? Buffer.from(text) : refuse("input", "a text or bytes");
}

/** A whole path is one of the program's own, where there is only the workspace. */
const IN_WORKSPACE = /^(?!\/)|^\/workspace(?:\/|$)/;

/** As a program calls it: `./workspace/repo`, `/workspace/repo`, or `repo`. */
function toFolder(cwd: unknown): string {
  if (isAbsent(cwd)) return "";
  if (typeof cwd !== "string" || cwd.includes("\0") || !IN_WORKSPACE.test(cwd))
    return refuse("cwd", 'a folder in ./workspace, such as "repo"');
  const [first, ...rest] = cwd.split("/").filter((step) => step !== "" && step !== ".");
  const steps = first === undefined || first === "workspace" ? rest : [first, ...rest];
  return steps.includes("..") ? refuse("cwd", "a folder in ./workspace, without ..") : steps.join("/");
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function refuse(what: string, expected: string): never {
  throw new KeyholeError("usage", `"${what}" of a command must be ${expected}. ${EXAMPLE}`);
}
