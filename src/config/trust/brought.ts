import type { JsonObject } from "../files/json-value.ts";
import type { ServerDefinition } from "../server-definition.ts";
import type { Shown } from "./describe-server.ts";

/** One thing that a project folder brings, and what the user said to it. */
export type Brought = {
  /** `server github`, `settings keyhole.config`, `skill .claude/skills/pdf`. */
  readonly id: string;
  readonly kind: "server" | "settings" | "skill";
  /** The server's or the skill's name, or what the settings stand in. */
  readonly name: string;
  /** Where it stands; where it stood, once it is removed. */
  readonly file: string;
  /** The home folder brings it, not the project: one yes is for all projects. */
  readonly isOfHome?: boolean;
  /** `changed`: something else of this id was accepted. `removed`: settings that were accepted are gone from the folder. */
  readonly state: "trusted" | "new" | "changed" | "removed";
  /** What it is, line by line, for a person: safe for a terminal, without secrets. */
  readonly lines: readonly string[];
  /** What a person should think of. */
  readonly remarks: readonly string[];
  /** Against what was accepted. */
  readonly diff?: readonly BroughtChange[];
  /** What the user would say yes to; nothing where it is removed. */
  readonly accepted?: Accepted;
  /** What is started once it is trusted. */
  readonly definition?: ServerDefinition;
};

/** What the user said yes to: the digest of its meaning, how it was shown, and of settings what they were. */
export type Accepted = {
  readonly digest: string;
  readonly lines: readonly string[];
  readonly settings?: JsonObject;
};

export type BroughtChange = { readonly mark: "-" | "+"; readonly text: string };

type Found = {
  readonly id: string;
  readonly kind: Brought["kind"];
  readonly name: string;
  readonly file: string;
  readonly digest: string;
  readonly described: Shown;
  readonly settings?: JsonObject;
  readonly isOfHome?: boolean;
};

export function toBrought(
  { digest, described, settings, ...found }: Found,
  known: Accepted | undefined,
): Brought {
  const state = known === undefined ? "new" : known.digest === digest ? "trusted" : "changed";
  const accepted = { digest, lines: described.lines, ...(settings === undefined ? {} : { settings }) };
  const diff =
    known === undefined || state !== "changed" ? undefined : diffLines(known.lines, described.lines);
  return { ...found, state, ...described, accepted, ...(diff === undefined ? {} : { diff }) };
}

/** What is gone, then what is new. Where the same is shown, it is something that is not shown. */
export function diffLines(before: readonly string[], after: readonly string[]): BroughtChange[] {
  const [old, fresh] = [new Set(before), new Set(after)];
  const gone = before.filter((text) => !fresh.has(text)).map((text) => ({ mark: "-" as const, text }));
  const come = after.filter((text) => !old.has(text)).map((text) => ({ mark: "+" as const, text }));
  if (gone.length + come.length > 0) return [...gone, ...come];
  return [{ mark: "+", text: "a value that is not shown, or the contents of its env file" }];
}
