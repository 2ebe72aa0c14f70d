// What the servers of the examples share: a real MCP server over stdio, made of a table of tools.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** @param tools by name: `{ description, input, output?, reads?, run }`, where `input` and `output` are Zod objects */
export function serveTools(name, instructions, tools) {
  serveStdio(() => {
    const server = new McpServer({ name, version: "1.0.0" }, { instructions });
    for (const [tool, { description, input, output, reads = false, run }] of Object.entries(tools)) {
      const annotations = { readOnlyHint: reads, destructiveHint: false };
      const schemas = { inputSchema: input, ...(output && { outputSchema: output }) };
      server.registerTool(tool, { description, annotations, ...schemas }, (args) =>
        toResult(run, args, output),
      );
    }
    return server;
  });
}

/** What a tool throws is its answer. */
async function toResult(run, args, output) {
  try {
    const value = await run(args);
    const content = [{ type: "text", text: JSON.stringify(value) }];
    return output ? { content, structuredContent: value } : { content };
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: error.message }] };
  }
}
