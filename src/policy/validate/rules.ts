import type { SecurityLevel } from "../../config/permissions/schema.ts";

/** `error` refuses the program, `warning` and `note` only tell. */
export type Severity = "error" | "warning" | "note";

/** What the code validation knows. A rule says what was seen and what to write instead; where it is seen is the languages' to find. */
export type Rule = {
  readonly severity: { readonly [level in SecurityLevel]: Severity };
  /** What is wrong with it; after it comes what was seen. */
  readonly message: string;
  readonly fix: string;
  /** The same in Python, where that has other names. */
  readonly pythonFix?: string;
};

/** There is no honest reason to write it: it hides what the program does from whoever reads it. */
const NEVER = { low: "warning", moderate: "error", high: "error", maximum: "error" } as const;
/** Has honest uses, and those of others. */
const RISKY = { low: "note", moderate: "warning", high: "error", maximum: "error" } as const;
/** The sandbox prevents it anyway: the program will fail there. */
const PREVENTED = { low: "note", moderate: "warning", high: "warning", maximum: "error" } as const;
/** May be granted by the configuration. */
const GRANTED = { low: "note", moderate: "warning", high: "warning", maximum: "warning" } as const;
const SHAPE = { low: "note", moderate: "note", high: "warning", maximum: "warning" } as const;

const RULES = {
  "dynamic-eval": {
    severity: RISKY,
    message: "Runs data as code, which nobody can read beforehand",
    fix: "Write the code into the program; parse data with JSON.parse or json.loads",
  },
  "decoded-eval": {
    severity: NEVER,
    message: "Runs a text as code that was encoded",
    fix: "Write the code into the program as it is",
  },
  "hidden-name": {
    severity: NEVER,
    message: "A name is put together or encoded so that it can't be read off the program",
    fix: "Write the name out where it is used",
  },
  "constructor-walk": {
    severity: NEVER,
    message: "Goes by constructors or inner attributes to what a program is not given",
    fix: "Use the functions that programs have; docs/programs.md lists them",
  },
  "computed-global": {
    severity: RISKY,
    message: "Calls a global whose name is computed",
    fix: 'Write the name out, or call callMCPTool("server__tool", …)',
    pythonFix: 'Write the name out, or call call_mcp_tool("server__tool", …)',
  },
  "computed-import": {
    severity: RISKY,
    message: "Imports a module whose name is computed",
    fix: "Write the name of the module out",
  },
  "keyhole-internals": {
    severity: RISKY,
    message: "Reaches for Keyhole's own side of the sandbox",
    fix: "Use the functions of the servers, callMCPTool and searchTools",
    pythonFix: "Use the functions of the servers, call_mcp_tool and search_tools",
  },
  "prototype-pollution": {
    severity: RISKY,
    message: "Changes what all objects have in common",
    fix: "Make an object of your own: Object.create(null), a Map, or a class",
  },
  process: {
    severity: PREVENTED,
    message: "Starts a process or a thread, or reaches for the one it runs in; the sandbox has none to give",
    fix: "Call a tool, or do the work in the program; runCommand where commands are allowed",
    pythonFix: "Call a tool, or do the work in the program; run_command where commands are allowed",
  },
  "raw-network": {
    severity: PREVENTED,
    message: "Opens a connection by itself; the sandbox has no network of that kind",
    fix: "Call a tool of a server that fetches; fetch where network.allow names the host",
  },
  "network-fetch": {
    severity: GRANTED,
    message: "Uses the network, which is there only where network.allow names the host",
    fix: "Call a tool of a server that fetches",
  },
  "file-outside": {
    severity: PREVENTED,
    message: "Names a file outside of the program's folders, which the sandbox does not show",
    fix: "Keep files in ./workspace; ./servers and ./skills can be read",
  },
  browser: {
    severity: PREVENTED,
    message: "Uses what only a browser has",
    fix: "Print with console.log, return the result, keep files in ./workspace",
    pythonFix: "Print with print, return the result, keep files in ./workspace",
  },
  "bidi-unpaired": {
    severity: NEVER,
    message:
      "A character that turns the direction of writing is not closed on its line: the program reads other than it runs",
    fix: "Remove the character, or write it as an escape in a string",
  },
  // Texts that were copied from somewhere have them, too.
  "bidi-control": {
    severity: RISKY,
    message: "Characters turn the direction of writing",
    fix: "Write them as escapes in a string",
  },
  "invisible-text": {
    severity: NEVER,
    message: "Several characters in a row can't be seen",
    fix: "Remove them, or write them as escapes in a string",
  },
  "look-alike-name": {
    severity: NEVER,
    message: "A name has letters of another script, or invisible ones, and looks like another name",
    fix: "Write the name with the letters that it seems to have",
  },
  "machine-made-names": {
    severity: NEVER,
    message: "The names are those that an obfuscator makes",
    fix: "Send the program as it was before it was obfuscated",
  },
  "symbols-only": {
    severity: NEVER,
    message: "The program is made of signs alone, which hides what it does",
    fix: "Write the program out",
  },
  "not-examined": {
    severity: RISKY,
    message: "Nested too deeply, or too much of it, to be looked at as a whole",
    fix: "Write a loop where code repeats; keep data in a file in ./workspace",
  },
  complexity: {
    severity: SHAPE,
    message: "A function has more ways through it than anybody can follow",
    fix: "Split it into functions",
  },
  size: {
    severity: SHAPE,
    message: "The program is very long",
    fix: "Keep data in a file in ./workspace, and write a loop where lines repeat",
  },
} as const satisfies { readonly [id: string]: Rule };

export type RuleId = keyof typeof RULES;

export function findRule(id: string): Rule | undefined {
  return isRule(id) ? RULES[id] : undefined;
}

function isRule(id: string): id is RuleId {
  return Object.hasOwn(RULES, id);
}

/** @internal */
export const RULE_IDS = Object.keys(RULES);
