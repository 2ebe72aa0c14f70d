import type { ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";
import { toTypeScriptWrapper } from "../../src/codegen/typescript/typescript-wrapper.ts";

const MAX_ABOUT = 120;

/** A wrapper as it is emitted, compacted to what one line of a search answer needs: the signature and a line about it. */
export function toSignature(tool: ToolRecord, server: ServerRecord): string {
  const blocks = toTypeScriptWrapper(tool, server).code.split("\n\n");
  const types = new Map<string, string>();
  for (const block of blocks) {
    const type = /^(?:\/\*\*.*\*\/\n)?(?:export )?(?:interface (\w+) |type (\w+) = )([\s\S]*)$/.exec(block);
    const name = type?.[1] ?? type?.[2];
    if (name !== undefined) types.set(name, (type?.[3] ?? "").replace(/;?$/, "").replace(/\s+/g, " "));
  }
  const [input, response, ...others] = [...types].filter(([name]) => name !== "");
  const about = blocks.flatMap((block) => /^\/\*\*\n \* ([^@\n]+)/.exec(block)?.[1] ?? []).at(0) ?? "";
  const signature = `${server.identifiers.typescript}.${tool.identifiers.typescript}(input: ${input?.[1] ?? "{}"}): Promise<${response?.[1] ?? "unknown"}>`;
  const extra = others.map(([name, text]) => `type ${name} = ${text}`);
  return [`${signature} // ${about.slice(0, MAX_ABOUT)}`, ...extra].join("\n");
}

export function toFullDefinition(tool: ToolRecord, server: ServerRecord): string {
  return toTypeScriptWrapper(tool, server).code;
}
