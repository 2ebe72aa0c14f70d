import { toPiiClass } from "../pii-classes.ts";
import { eachText } from "../text/each-text.ts";
import { UnparsedJson } from "../text/unparsed-json.ts";
import type { PiiFact } from "../text/with-facts.ts";
import { applyFindings } from "./conceal/apply-findings.ts";
import { detectInJson } from "./detect/detect.ts";
import type { JsonFinding } from "./detect/structure/json/json-finding.ts";
import type { KnownNames } from "./detect/structure/names/known-names.ts";
import { factsOf } from "./facts.ts";
import { normalise } from "./normal.ts";
import type { PrivacySettings } from "./settings.ts";
import { findTokenShapes } from "./token-text/token-shapes.ts";
import type { WorkspaceVault } from "./vault/workspace-vault.ts";

type FactsContext = {
  readonly vault: Pick<WorkspaceVault, "valueOf">;
  readonly settings: PrivacySettings;
  readonly names: KnownNames;
  isMeant(finding: JsonFinding): boolean;
};

/** What may be told of the values in something that a program gets: by their tokens in boundary mode, else by themselves. */
export function createFacts({
  vault,
  settings,
  names,
  isMeant,
}: FactsContext): (value: unknown) => PiiFact[] {
  const { region, mode } = settings;

  function addTokens(text: string, facts: Map<string, PiiFact>): void {
    for (const { class: kind, digits, kind: shape, tildes } of findTokenShapes(text)) {
      const token = `[${kind}_${digits}]`;
      if (shape !== "whole" || tildes > 0 || facts.has(token)) continue;
      const value = vault.valueOf(token);
      if (value !== undefined && toPiiClass(kind) !== undefined)
        facts.set(token, [token, token, factsOf(kind, value, region)]);
    }
  }

  function addValues(value: unknown, facts: Map<string, PiiFact>): void {
    const found = detectInJson(value, { region, names }).filter(isMeant);
    applyFindings(value, found, ({ class: kind, value: read }, written) => {
      const text = read ?? written;
      const sameAs = `${kind} ${normalise(kind, text, region)}`;
      if (!facts.has(text)) facts.set(text, [text, sameAs, factsOf(kind, text, region)]);
      return undefined;
    });
  }

  return (value) => {
    const facts = new Map<string, PiiFact>();
    if (value instanceof UnparsedJson) {
      // In egress mode the program has the values, and most of what `pii` tells it finds out itself.
      if (mode === "boundary") addTokens(new TextDecoder().decode(value.bytes), facts);
      return [...facts.values()];
    }
    if (mode === "boundary") eachText(value, (text) => addTokens(text, facts));
    else addValues(value, facts);
    return [...facts.values()];
  };
}
