import { toCleanText } from "../../../text/doc-text.ts";

/** A description as many servers write it: the docstring of a function, with what it takes and returns in sections. */
export type Docstring = {
  /** What is in no section, and what notes say. */
  readonly prose: string;
  /** By the name of the parameter. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly returns: string;
};

type Heading = { readonly section: Section; readonly rest: string };
type Section = "prose" | "parameters" | "returns" | "other";

const MAX_READ = 8_000;
const HEADINGS: readonly (readonly [Section, RegExp])[] = [
  [
    "parameters",
    /^(?:args|arguments|parameters?|params|inputs?|input parameters|keyword args|参数|参数说明|入参)$/i,
  ],
  ["returns", /^(?:returns?|yields?|outputs?|response|result|返回|返回值)$/i],
  [
    "other",
    /^(?:raises?|throws|errors?|exceptions?|examples?|usage|usage examples?|example usage|see also|when (?:not )?to use(?: this)?|use cases?|示例)$/i,
  ],
  ["prose", /^(?:notes?|important|remarks?|limits?|limitations|constraints|description|说明|注意)$/i],
];
/** `Returns:`, `## Parameters`, `**Args:**`, and `Returns: a list` on one line. */
const HEADING = /^\s*(?:#{1,6}\s*|\*\*)?([\p{L}][\p{L} ]{1,24}?)\s*(?:\*\*)?[:：]\s*(?:\*\*)?(.*)$/u;
const BARE_HEADING = /^\s*(?:#{1,6}\s+|\*\*)([\p{L}][\p{L} ]{1,24}?)(?:\*\*)?\s*$/u;
/** `name: text`, `name (str, optional): text`, `- **name**: text`, `- name - text`, `:param name: text`, `@param name text`. */
const ENTRY =
  /^\s*(?:[-*•]\s+)?(?::param\s+|@param\s+(?:\{[^}]{0,40}\}\s+)?)?[`*"']{0,3}([\p{L}_$][\p{L}\p{N}_.$-]{0,60})[`*"']{0,3}\s*(?:[([]([^()[\]]{0,60})[)\]])?\s*(?::|：|-\s|–\s|\s(?=\S))\s*(.*)$/u;
const TAGGED = /^\s*(?::param\s|@param\s)/;
const TAGGED_RETURN = /^\s*(?::returns?:|@returns?\s)\s*(.*)$/;

/** Reads the sections of a description; an entry counts only for a name that the tool has. */
export function readDocstring(description: string, names: ReadonlySet<string>): Docstring {
  const parameters = new Map<string, string>();
  const prose: string[] = [];
  const returns: string[] = [];
  let section: Section = "prose";
  let current: string | undefined;
  for (const line of toCleanText(description.slice(0, MAX_READ)).split("\n")) {
    // A parameter can be called `limit` or `output`.
    const isEntry: boolean = section === "parameters" && names.has(ENTRY.exec(line)?.[1] ?? "");
    const heading: Heading | undefined = isEntry ? undefined : toHeading(line);
    if (heading !== undefined) {
      section = heading.section;
      current = undefined;
      if (heading.rest !== "") take(heading.rest);
    } else take(line);
  }
  return { prose: prose.join("\n"), parameters, returns: returns.join("\n").trim() };

  function take(line: string): void {
    const returned = TAGGED_RETURN.exec(line)?.[1];
    if (returned !== undefined) returns.push(returned);
    else if (section === "returns") returns.push(line);
    else if (section === "parameters" || TAGGED.test(line)) takeEntry(line);
    else if (section === "prose") prose.push(line);
  }

  function takeEntry(line: string): void {
    const [, name = "", , text = ""] = ENTRY.exec(line) ?? [];
    if (names.has(name) && !parameters.has(name)) {
      current = name;
      parameters.set(name, text);
    } else if (line.trim() === "") current = undefined;
    else if (current !== undefined) parameters.set(current, `${parameters.get(current)}\n${line.trim()}`);
  }
}

function toHeading(line: string): Heading | undefined {
  const [, name = "", rest = ""] = HEADING.exec(line) ?? BARE_HEADING.exec(line) ?? [];
  const section = HEADINGS.find(([, pattern]) => pattern.test(name.trim()))?.[0];
  return section === undefined ? undefined : { section, rest };
}
