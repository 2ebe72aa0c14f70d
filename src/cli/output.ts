import { once } from "node:events";
import { styleText } from "node:util";
import { createOutbox } from "../engine/outbox.ts";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import type { Outbox } from "../result/outbox/outbox.ts";
import { toPlainText, toVisibleText } from "../text/plain-text.ts";

type Style = Parameters<typeof styleText>[0];

/**
 * Where a command writes. Data goes to stdout; progress, notices and errors go to stderr. A model may read either, with a shell
 * of its own: all of it passes the outbox.
 */
export type Output = {
  /** True when the user asked for `--json`: then exactly one JSON document goes to stdout. */
  readonly json: boolean;
  /** True when a person is watching and can be asked. */
  readonly interactive: boolean;
  /** Width to fit lines into; unlimited where nobody is watching. */
  readonly columns: number;
  print(line?: string): void;
  /** A file's own text as it is, for whoever reads from a pipe; what a terminal would obey is shown there instead. */
  raw(text: string): void;
  /** The same for a piece of something long; resolves when the reader is ready for more. */
  rawPiece(text: string): Promise<void>;
  printJson(data: Readonly<Record<string, unknown>>): void;
  notice(line: string): void;
  /** Something about the answer, not part of it: to stderr, and quietly. */
  note(line: string): void;
  /** A line of a log for machines, whose words have passed the outbox: to stderr, as it is. */
  logLine(line: string): void;
  /** What a person has to read before they answer: to stderr. */
  tell(lines: readonly string[]): void;
  fail(error: unknown): void;
  /** Colours text for stdout, when stdout shows colours. */
  style(style: Style, text: string): string;
  /** The same for stderr. */
  styleError(style: Style, text: string): string;
  /** A line on stderr that replaces itself while something takes longer than a second; cleared by `done`. */
  progress(describe: () => string): Progress;
};

export type Progress = { done(): void };

const PROGRESS_DELAY_MS = 1_000;
const PROGRESS_INTERVAL_MS = 100;

export type OutputOptions = { readonly json?: boolean; readonly outbox?: Pick<Outbox, "text" | "data"> };

export function createOutput({ json = false, outbox = createOutbox() }: OutputOptions = {}): Output {
  const { stdout, stderr, stdin } = process;
  const paint = (isTerminal: boolean) => (style: Style, text: string) =>
    isTerminal && showsColours() ? styleText(style, text) : text;
  const style = paint(stdout.isTTY);
  const styleError = paint(stderr.isTTY);
  const toText = (line: string) => toShown(line, outbox.text);
  const toJsonText = (data: Readonly<Record<string, unknown>>) =>
    // The same JSON, in which a terminal finds nothing to obey.
    `${toVisibleText(JSON.stringify(outbox.data(data), null, 2))}\n`;
  const write = (line: string) => stderr.write(`${toText(line)}\n`);
  let clearProgress = () => {};

  return {
    json,
    interactive: stdout.isTTY === true && stdin.isTTY === true && !json,
    // Some pseudo-terminals report a width of 0: they do not know.
    columns: (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY,
    style,
    styleError,
    print: (line = "") => {
      clearProgress();
      stdout.write(`${toText(line)}\n`);
    },
    raw: (text) => {
      clearProgress();
      stdout.write(stdout.isTTY ? `${toPlainText(text)}\n` : text);
    },
    rawPiece: async (text) => {
      clearProgress();
      const shown = stdout.isTTY ? text.split("\n").map(toPlainText).join("\n") : text;
      if (!stdout.write(shown)) await once(stdout, "drain");
    },
    printJson: (data) => {
      stdout.write(toJsonText(data));
    },
    notice: (line) => {
      clearProgress();
      write(`${styleError("yellow", "!")} ${line}`);
    },
    note: (line) => {
      clearProgress();
      write(styleError("dim", line));
    },
    logLine: (line) => {
      stderr.write(line);
    },
    tell: (lines) => {
      clearProgress();
      for (const line of lines) write(line);
    },
    fail: (error) => {
      clearProgress();
      const failure = toKeyholeError(error);
      if (json) stdout.write(toJsonText({ error: failure.toJSON() }));
      else for (const line of describeError(failure, styleError)) write(line);
      if (!(error instanceof KeyholeError) && process.env["KEYHOLE_DEBUG"] && error instanceof Error)
        write(error.stack ?? "");
    },
    progress(describe) {
      let isShown = false;
      clearProgress = () => {
        if (isShown) stderr.write("\r\u001b[2K");
        isShown = false;
      };
      const show = () => {
        const line = toPlainText(outbox.text(describe())).replace(/\s+/g, " ");
        stderr.write(`\r\u001b[2K${styleError("dim", line.slice(0, (stderr.columns || 80) - 1))}`);
        isShown = true;
      };
      let ticks: NodeJS.Timeout | undefined;
      const delay = setTimeout(() => {
        if (stderr.isTTY) ticks = setInterval(show, PROGRESS_INTERVAL_MS);
        else write(describe());
      }, PROGRESS_DELAY_MS);
      return {
        done() {
          clearTimeout(delay);
          clearInterval(ticks);
          clearProgress();
          clearProgress = () => {};
        },
      };
    },
  };
}

/** The error on one line, evidence and the way out below it. */
export function describeError(error: KeyholeError, style: Output["style"]): string[] {
  const lines = [`${style("red", "✗")} ${indented(error.message)}`];
  for (const detail of error.details) lines.push(`  ${style("dim", indented(detail))}`);
  if (error.hint) lines.push(`  ${style("cyan", "→")} ${indented(error.hint)}`);
  if (error.code === "internal" && !process.env["KEYHOLE_DEBUG"])
    lines.push(`  ${style("dim", "Set KEYHOLE_DEBUG=1 for the stack")}`);
  return lines;
}

/** What an error quotes may have lines: none of them can pass for one of ours. */
function indented(text: string): string {
  return text.replace(/\r\n?|[\n\u2028\u2029]/g, "\n    ");
}

/** The styles we use, as `styleText` writes them: bold, dim, colours, and their ends. */
const OWN_STYLE = /(\u001b\[(?:1|2|22|3\d)m)/;

/** The last word on what reaches a terminal: of what it would obey, our own styles stay. */
function toShown(line: string, pass: (text: string) => string): string {
  const parts = line.split(OWN_STYLE);
  return parts
    .map((part, index) => (index % 2 === 1 || part === "" ? part : toPlainText(pass(part))))
    .join("");
}

function showsColours(): boolean {
  const { NO_COLOR, TERM } = process.env;
  return (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
}
