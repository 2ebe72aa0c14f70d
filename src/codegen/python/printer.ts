import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { toDocstringLine, toHashComment, toLines } from "../../text/doc-text.ts";
import { MAX_INSTRUCTIONS, type Printer } from "../printer.ts";
import { toPythonSignature } from "./python-signature.ts";
import { toPythonTypeNames, toPythonWrapper } from "./python-wrapper.ts";
import { toPythonImport } from "./skill-import.ts";

/** The one file of the tree that knows how a call leaves the program. */
const RUNTIME = `from __future__ import annotations

import builtins
from typing import Any, Mapping


async def call_mcp_tool(name: str, arguments: Mapping[str, Any]) -> Any:
    """Calls an MCP tool by its full name, "<server>__<tool>"."""
    bridge: Any = getattr(builtins, "call_mcp_tool", None)
    if bridge is None:
        raise RuntimeError(
            f'Cannot call "{name}" outside Keyhole: run this program with "keyhole run FILE --lang python"'
        )
    return await bridge(name, arguments)
`;

export const PYTHON: Printer = {
  name: "python",
  aliases: ["py"],
  naming: "python",
  extension: ".py",
  index: "__init__",
  rootFiles: [
    ["__init__.py", ""],
    ["_keyhole.py", RUNTIME],
  ],
  // Python imports a folder by its name, so it is an identifier.
  folder: ({ identifiers }) => identifiers.python,
  wrap: toPythonWrapper,
  indexFile: toIndex,
  signature: toPythonSignature,
  importSkill: toPythonImport,
  comment: (line) => `# ${toHashComment(line)}`,
};

function toIndex(server: ServerRecord, modules: ReadonlyMap<ToolRecord, string>): string {
  const about = toLines(server.instructions ?? "", MAX_INSTRUCTIONS).filter((line) => line !== "");
  const doc = about.length === 0 ? [] : [`"""${about.map(toDocstringLine).join("\n")}\n"""`];
  const imports: string[] = [];
  const names: string[] = [];
  for (const [tool, module] of modules) {
    const { input, response } = toPythonTypeNames(tool);
    const exported = [tool.identifiers.python, input, response];
    names.push(...exported);
    imports.push(`from .${module} import ${exported.map((name) => `${name} as ${name}`).join(", ")}`);
  }
  const all = names.map((name) => `    "${name}",`);
  return `${[...doc, ...imports, "", "__all__ = [", ...all, "]"].join("\n")}\n`;
}
