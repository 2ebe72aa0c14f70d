import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import { type ToolName, toNames, toTypes } from "./names.ts";
import type { Unavailable } from "./unavailable.ts";

/** What one process that reads programs has been told of the catalogue: it is told again what has changed, and no more. */
export type Mirror = {
  /** JSON of what it must hear before it reads a program; nothing when it knows all. */
  news(servers: readonly ServerRecord[], unavailable: Unavailable | undefined): string | undefined;
  /** JSON of the types that it asks for. */
  types(asked: readonly ToolName[]): string;
};

/** Of one answer. Tools beyond take anything, as far as the check goes. */
const MAX_TYPES_CHARACTERS = 2 * 1024 * 1024;
const MAX_TOOLS = 500;

export function createMirror(): Mirror {
  let told: readonly ServerRecord[] = [];
  let toldTrouble = "[]";
  let records = new Map<string, ServerRecord>();
  /** The tools whose types it has, and what stood for the type of the result. */
  let given = new Map<ToolRecord, string>();

  function staleTools(): ToolName[] {
    const stale = [...given].filter(([tool, version]) => versionOf(tool) !== version);
    for (const [tool] of stale) given.delete(tool);
    return stale.map(([tool]) => [tool.server, tool.name]);
  }

  return {
    news(servers, unavailable) {
      const trouble = JSON.stringify([...(unavailable ?? [])]);
      const stale = given.size === 0 ? [] : staleTools();
      const isSame = told === servers;
      if (isSame && trouble === toldTrouble && stale.length === 0) return undefined;
      const known = new Set(isSame ? servers : told);
      const changed = servers.filter((server) => !known.has(server)).map(namesText);
      if (!isSame) {
        told = servers;
        records = new Map(servers.map((server) => [server.name, server]));
        const tools = new Set(servers.flatMap((server) => server.tools));
        given = new Map([...given].filter(([tool]) => tools.has(tool)));
      }
      toldTrouble = trouble;
      const order = JSON.stringify(servers.map(({ name }) => name));
      return `{"kind":"news","order":${order},"changed":[${changed.join(",")}],"unavailable":${trouble},"stale":${JSON.stringify(stale)}}`;
    },
    types(asked) {
      const texts: string[] = [];
      let left = MAX_TYPES_CHARACTERS;
      for (const [server, name] of asked.slice(0, MAX_TOOLS)) {
        const tool = records.get(server)?.tools.find((candidate) => candidate.name === name);
        if (tool === undefined || left <= 0) continue;
        const text = JSON.stringify(toTypes(tool));
        left -= text.length;
        if (left < 0) break;
        given.set(tool, versionOf(tool));
        texts.push(`[${JSON.stringify(server)},${JSON.stringify(name)},${text}]`);
      }
      return `{"kind":"types","tools":[${texts.join(",")}]}`;
    },
  };
}

const namesTexts = new WeakMap<ServerRecord, string>();

function namesText(server: ServerRecord): string {
  const known = namesTexts.get(server);
  if (known !== undefined) return known;
  const text = JSON.stringify(toNames(server));
  namesTexts.set(server, text);
  return text;
}

const schemaNumbers = new WeakMap<object, number>();
let nextNumber = 1;

/** Of a record nothing changes but what is learned of its results; the same schema is the same object. */
function versionOf({ observed, contradictions = [] }: ToolRecord): string {
  if (observed === undefined) return `${contradictions.length}`;
  const { schema } = observed;
  if (typeof schema === "boolean") return String(schema);
  const known = schemaNumbers.get(schema) ?? nextNumber++;
  schemaNumbers.set(schema, known);
  return `observed ${known}`;
}
