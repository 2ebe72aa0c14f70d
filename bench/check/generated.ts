import type { JsonSchema, ServerRecord, ToolRecord } from "../../src/catalog/tool.ts";
import { ownValue } from "../../src/text/own-value.ts";

export type Programs = {
  /** A program of its own for each number: 55 lines, six calls. */
  right(seed: number): string;
  /** The same with two mistakes. */
  wrong(seed: number): string;
};

type Chosen = { readonly server: ServerRecord; readonly tool: ToolRecord };

export function createPrograms(servers: readonly ServerRecord[]): Programs {
  const all = servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
  const usable = all.filter(({ tool }) => toArguments(tool.inputSchema) !== undefined);
  // A prime step: neighbours in the list belong to the same server.
  const choose = (seed: number, index: number) => usable[((seed * 6 + index) * 7919) % usable.length];
  const program = (seed: number) => {
    const chosen = Array.from({ length: 6 }, (_, index) => choose(seed, index)).filter(
      (one) => one !== undefined,
    );
    return toProgram(chosen, seed);
  };
  return {
    right: program,
    wrong: (seed) =>
      program(seed).replace(/\(\{/, "({ noSuchArgument: 1,").replace("report.push", "report.pusch"),
  };
}

function toProgram(chosen: readonly Chosen[], seed: number): string {
  const blocks = chosen.map(
    ({ server, tool }, index) => `
// Step ${index + 1} of program ${seed}
const result${index}: any = await ${server.identifiers.typescript}.${tool.identifiers.typescript}(${toArguments(tool.inputSchema)});
const rows${index}: Row[] = (result${index}?.items ?? []).map((item: any) => ({ id: item.id, name: String(item.name), size: item.size }));
const large${index} = rows${index}.filter((row) => row.size > ${seed + index}).sort((a, b) => b.size - a.size);
if (large${index}.length > 0) report.push(\`\${large${index}.length} of ${index}: \${large${index}[0].name.toUpperCase()}\`);
total += large${index}.reduce((sum, row) => sum + row.size, 0);`,
  );
  return `interface Row { id: number; name: string; size: number }
const report: string[] = [];
let total = 0;
// What each step finds goes into the report
${blocks.join("\n")}

// How many lines begin alike
const byName = Object.groupBy(report, (line) => line.slice(0, 1));
for (const [name, lines] of Object.entries(byName)) {
  console.log(name, lines.length);
}
const summary = { total, lines: report.length, first: report[0] ?? "none" };
console.log(JSON.stringify(summary));
return summary;`;
}

/** Arguments that fit a schema, written as code; nothing where that takes more than the plain cases. */
function toArguments(schema: JsonSchema): string | undefined {
  const properties = ownValue(schema, "properties");
  const required = ownValue(schema, "required");
  // What such a schema demands in addition is not to be seen from `required`.
  if (["anyOf", "oneOf", "allOf", "if"].some((keyword) => ownValue(schema, keyword) !== undefined))
    return undefined;
  const names = Array.isArray(required) ? required.map(String) : [];
  const parts = names.map((name) => {
    const value = toValue(ownValue(properties, name));
    return value === undefined ? undefined : `${JSON.stringify(name)}: ${value}`;
  });
  return parts.includes(undefined) ? undefined : `{ ${parts.join(", ")} }`;
}

function toValue(schema: unknown): string | undefined {
  const values = ownValue(schema, "enum");
  if (Array.isArray(values)) return JSON.stringify(values[0]);
  switch (ownValue(schema, "type")) {
    case "string":
      return ownValue(schema, "const") === undefined ? '"text"' : undefined;
    case "number":
    case "integer":
      return "1";
    case "boolean":
      return "true";
    case "array":
      return ownValue(schema, "minItems") === undefined ? "[]" : undefined;
    default:
      return undefined;
  }
}
