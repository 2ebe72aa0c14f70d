import { toJsonText } from "./json-text.ts";
import { toWholeLog } from "./log-text.ts";
import type { RunOutput } from "./model-text.ts";
import { toCountText } from "./number-text.ts";
import { toVisibleText } from "./safe-text.ts";

/** A piece of what the model sees. */
export type Part = {
  readonly of: "result" | "log" | "nothing";
  readonly text: string;
  readonly isWhole: boolean;
};

export type Keeper = {
  /** Saves what these parts do not show whole, each once. */
  keep(parts: readonly Part[]): Promise<void>;
  /** Where it is and how a program reads it; then the same in fewer words. */
  readonly footers: readonly string[];
  readonly saved: ReadonlySet<string>;
  readonly hasFailed: boolean;
};

export function createKeeper(
  output: RunOutput,
  json: string | undefined,
  save: (name: string, content: string) => Promise<string>,
): Keeper {
  const lines = new Map<Part["of"], string>();
  const { logs, result } = output.whole ?? output;
  const saved = new Set<string>();
  let hasFailed = false;
  const toWholeJson = () => (output.whole === undefined ? json : toJsonText(result)) ?? "null";
  const keepOne = async (of: Part["of"]) => {
    const isText = typeof result === "string";
    const name = `${output.runId}.${of === "log" ? "log" : isText ? "txt" : "json"}`;
    try {
      const content = of === "log" ? toWholeLog(logs) : isText ? result : toWholeJson();
      const path = await save(name, content);
      saved.add(path);
      const size = `${toCountText(content.length)} characters`;
      lines.set(
        of,
        `${of} shown in part; all of it (${size}) in a next program: ${reader(path, output.language)}`,
      );
    } catch {
      // The disk's limit, most likely. The run itself is no less done for it.
      hasFailed = true;
      lines.set(of, `${of} shown in part; the whole could not be saved: return or print less`);
    }
  };
  return {
    async keep(parts) {
      for (const { of, isWhole } of parts) {
        if (!isWhole && !lines.has(of)) await keepOne(of);
      }
    },
    get footers() {
      const paths = [...saved].map((path) => toVisibleText(JSON.stringify(path)));
      const short = paths.length === 0 ? "not saved" : `whole: ${paths.join(", ")}`;
      return [[...lines.values()].join("\n"), short];
    },
    saved,
    get hasFailed() {
      return hasFailed;
    },
  };
}

function reader(path: string, language: RunOutput["language"]): string {
  const quoted = toVisibleText(JSON.stringify(path));
  const isJson = path.endsWith(".json");
  if (language === "python") return isJson ? `json.load(open(${quoted}))` : `open(${quoted}).read()`;
  const read = `await readFile(${quoted}, "utf8")`;
  const part = isJson
    ? `const all = JSON.parse(${read}); return /* a part of */ all`
    : `return (${read}).slice(0, 1500)`;
  return `import { readFile } from "fs/promises"; ${part}`;
}
