import type { ToolRecord } from "../../catalog/tool.ts";
import { type Effect, toEffect } from "../permissions/verbs.ts";
import type { CommandUse, FactPlace, FileUse, HostUse, ProgramFacts } from "../program-facts.ts";

/** What a program would touch, as far as its text shows. What is not known counts as what is worse. */
export type Impact = {
  readonly tools: readonly TouchedTool[];
  /** Tools are called that can't be read off the program. */
  readonly dynamic: boolean;
  readonly files: readonly FileUse[];
  readonly hosts: readonly HostUse[];
  readonly commands: readonly CommandUse[];
  /** Something outside of the program's folder may be changed. */
  readonly modifies: boolean;
  /** What it changes can be changed back: nothing is destroyed, sent, paid or published. */
  readonly reversible: boolean;
};

export type TouchedTool = FactPlace & {
  readonly server: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly inLoop: boolean;
};

export type ImpactContext = {
  tool(server: string, name: string): ToolRecord | undefined;
};

const LASTING: ReadonlySet<Effect> = new Set(["destroys", "sends", "pays", "publishes", "unknown"]);

export function assessImpact(facts: ProgramFacts, { tool }: ImpactContext): Impact {
  const tools = facts.tools.map((use): TouchedTool => {
    const record = tool(use.server, use.tool);
    return { ...use, effect: record === undefined ? "unknown" : toEffect(record) };
  });
  const { files, hosts, commands } = facts;
  const dynamic = facts.dynamic.length > 0;
  const isOpen = dynamic || hosts.length > 0 || commands.length > 0;
  return {
    tools,
    dynamic,
    files,
    hosts,
    commands,
    modifies: isOpen || tools.some(({ effect }) => effect !== "reads"),
    reversible: !isOpen && !tools.some(({ effect }) => LASTING.has(effect)),
  };
}
