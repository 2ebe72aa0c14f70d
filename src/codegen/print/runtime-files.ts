/** The one file of each tree that knows how a call leaves the program. */

export const TYPESCRIPT_RUNTIME = `type Bridge = (name: string, input: unknown) => Promise<unknown>;

/** Calls an MCP tool by its full name, "<server>__<tool>". */
export async function callMCPTool<T = unknown>(name: string, input: unknown = {}): Promise<T> {
  const { callMCPTool: bridge } = globalThis as { callMCPTool?: Bridge };
  if (bridge === undefined) {
    throw new Error(\`Cannot call "\${name}" outside Keyhole: run this program with "keyhole run FILE"\`);
  }
  return (await bridge(name, input)) as T;
}
`;

export const PYTHON_RUNTIME = `from __future__ import annotations

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
