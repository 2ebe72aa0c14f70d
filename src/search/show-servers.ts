import type { FoundServer, SearchAnswer, SearchableServer } from "./answer.ts";
import { toCount, toSentence } from "./lines.ts";

const MAX_ABOUT = 120;
const MAX_STATUS = 200;
const READY = "ready";
/** Names of a few tools stand in where a server does not say what it is for. */
const SAMPLE_TOOLS = 4;

/** The servers, what each is for, how many tools it has, and how it is. */
export function toServersAnswer(servers: readonly SearchableServer[]): SearchAnswer {
  if (servers.length === 0) return { text: "No MCP servers are configured.", servers: [] };
  const found = servers.map(toFound);
  const lines = servers.map((server, at) => toLine(server, found[at]));
  return {
    text: [...lines, 'Search by what you want to do: search_tools({ query: "…" })'].join("\n"),
    servers: found,
  };
}

function toFound(server: SearchableServer): FoundServer {
  const { name, tools, instructions = "", status = READY } = server;
  const about = toSentence(instructions, MAX_ABOUT);
  const found = { name, tools: tools.length, status: toSentence(status, MAX_STATUS) };
  return about === "" ? found : { ...found, about };
}

function toLine(server: SearchableServer, found: FoundServer | undefined): string {
  const { tools = 0, status = READY, about } = found ?? {};
  const sample = server.tools.slice(0, SAMPLE_TOOLS).map((tool) => tool.identifiers.typescript);
  const rest = tools > SAMPLE_TOOLS ? ", …" : "";
  const purpose = about ?? `${sample.join(", ")}${rest}`;
  const health = status === READY ? "" : ` [${status}]`;
  return `${server.identifier} (${toCount(tools, "tool")})${health}${purpose === "" ? "" : `: ${purpose}`}`;
}
