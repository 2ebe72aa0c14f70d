import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { toCommentLine, toLines } from "../../text/doc-text.ts";
import { MAX_INSTRUCTIONS, type Printer } from "../printer.ts";
import { toTypeScriptSignature } from "./signature.ts";
import { toTypeScriptImport } from "./skill-import.ts";
import { toTypeScriptTypeNames, toTypeScriptWrapper } from "./typescript-wrapper.ts";

/** The one file of the tree that knows how a call leaves the program. */
const RUNTIME = `type Bridge = (name: string, input: unknown) => Promise<unknown>;

/** Calls an MCP tool by its full name, "<server>__<tool>". */
export async function callMCPTool<T = unknown>(name: string, input: unknown = {}): Promise<T> {
  const { callMCPTool: bridge } = globalThis as { callMCPTool?: Bridge };
  if (bridge === undefined) {
    throw new Error(\`Cannot call "\${name}" outside Keyhole: run this program with "keyhole run FILE"\`);
  }
  return (await bridge(name, input)) as T;
}
`;

export const TYPESCRIPT: Printer = {
  name: "typescript",
  aliases: ["ts", "javascript", "js"],
  naming: "typescript",
  extension: ".ts",
  index: "index",
  rootFiles: [["_keyhole.ts", RUNTIME]],
  folder: ({ folder }) => folder,
  wrap: toTypeScriptWrapper,
  indexFile: toIndex,
  signature: toTypeScriptSignature,
  importSkill: toTypeScriptImport,
  comment: (line) => `// ${toCommentLine(line)}`,
};

function toIndex(server: ServerRecord, modules: ReadonlyMap<ToolRecord, string>): string {
  const about = toLines(server.instructions ?? "", MAX_INSTRUCTIONS).filter((line) => line !== "");
  const doc = about.length === 0 ? [] : ["/**", ...about.map((line) => ` * ${toCommentLine(line)}`), " */"];
  const exports = [...modules].map(([tool, module]) => {
    const { input, response } = toTypeScriptTypeNames(tool, server);
    return `export { ${tool.identifiers.typescript}, type ${input}, type ${response} } from "./${module}.js";`;
  });
  return `${[...doc, ...(exports.length === 0 ? ["export {};"] : exports)].join("\n")}\n`;
}
