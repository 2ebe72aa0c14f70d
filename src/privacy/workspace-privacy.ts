import { ALL_CLASSES } from "../pii-classes.ts";
import { eachText } from "../text/each-text.ts";
import { mapTexts } from "../text/map-texts.ts";
import { finishInSlices } from "../text/slices.ts";
import { UnparsedJson } from "../text/unparsed-json.ts";
import type { PiiFact } from "../text/with-facts.ts";
import { applyFindings } from "./conceal/apply-findings.ts";
import { type FilterParts, filterInPieces, filterText, outsideTokens } from "./conceal/filter-text.ts";
import { createKnownValues } from "./conceal/known-values.ts";
import { isLargerThan, mapInSlices } from "./conceal/map-in-slices.ts";
import { createShownValues, type Met } from "./conceal/shown-values.ts";
import { toShort } from "./conceal/to-short.ts";
import { detectInJson, detectInText } from "./detect/detect.ts";
import { LEAST_CONFIDENCE } from "./detect/finding.ts";
import { createFindFurther, type FindFurther } from "./detect/further.ts";
import type { JsonFinding, TextFinding } from "./detect/structure/json/json-finding.ts";
import { createFacts } from "./facts-in.ts";
import { type LargeScan, scanLarge } from "./large/scan-large.ts";
import { concealInProgram } from "./program/conceal-in-program.ts";
import type { ProgramLanguage } from "./program/literal-piece.ts";
import { revealInProgram } from "./program/reveal-in-program.ts";
import {
  createRevealGuard,
  headerParameters,
  type Recipient,
  revealArguments,
} from "./reveal/reveal-arguments.ts";
import type { PrivacySettings } from "./settings.ts";
import { placeTokens, type TokenPlace } from "./token-text/escape-tokens.ts";
import { revealTokens } from "./token-text/reveal-tokens.ts";
import { findTokenShapes } from "./token-text/token-shapes.ts";
import type { WorkspaceVault } from "./vault/workspace-vault.ts";

/** Where a value comes from. */
export type ResultSource = {
  readonly session: string;
  readonly server: string;
  /** Of the call, so that values of one record are known to be. */
  readonly callId: string;
  readonly schema?: unknown;
};

/** The program as its sandbox gets it. */
export type EnteredProgram = {
  readonly code: string;
  /** Tokens in it that stand for nothing. */
  readonly unknown: readonly string[];
};

/** What one workspace's personal values pass, on their way in and out. */
export type WorkspacePrivacy = {
  readonly mode: "egress" | "boundary";
  /** A program's text on its way into the sandbox. */
  enterProgram(code: string, language: ProgramLanguage, session: string): EnteredProgram;
  /** What a tool has answered: known from now on, and in boundary mode as the program may see it. */
  takeResult(value: unknown, from: ResultSource): unknown;
  takeText(text: string, from: ResultSource): string;
  /** Arguments on their way to a tool. Fails where it may not see them. */
  sendArguments(args: Arguments, to: Recipient): Arguments;
  /** What the model is shown, whatever made it: each text once, where it leaves the world of programs. */
  showValue(value: unknown, session: string): unknown;
  showText(text: string, session: string): string;
  /** A text of any length. */
  showLine(text: string, session: string): string | Promise<string>;
  /** The beginning of a text, as much as is told while a program runs. */
  showStart(text: string, session: string): string;
  /** As much of a value as is told in a line about it. */
  showShort<Value>(value: Value, session: string): Value;
  /** What was shown once, on its way back into a program. */
  takeBack(text: string): string;
  /** The last look at what leaves: no value that is known. It can be done again. */
  filter(text: string): string;
  /** What tokens stand for is on the disk. */
  commit(): Promise<void>;
  /** What `pii` may tell a program of the personal values in something that enters its world. */
  factsIn(value: unknown): PiiFact[];
  /** Whether it may tell more than whether two are the same. */
  readonly tellsFacts: boolean;
};

type Arguments = Readonly<Record<string, unknown>>;

export type WorkspacePrivacyOptions = {
  readonly vault: WorkspaceVault;
  readonly settings: PrivacySettings;
  isPublic(text: string): boolean;
  onFull(): void;
};

/** More is looked at in another thread. */
const LARGE = 64 * 1024;
/** What a note of progress shows is less. */
const MAX_START = 4_096;
/** What a value that was cut off can have left. */
const MAX_CUT = 256;
const MAX_LARGE_VALUES = 50_000;
const MAX_LARGE_NAMES = 5_000;

export async function openWorkspacePrivacy(options: WorkspacePrivacyOptions): Promise<WorkspacePrivacy> {
  const { vault, settings } = options;
  const { mode, region } = settings;
  const isBoundary = mode === "boundary";
  const known = await createKnownValues(vault);
  const values = createShownValues(options);
  const { names } = known;

  const classes = ALL_CLASSES.filter((kind) => settings.actionOf(kind) !== "keep");
  const isMeant = ({ class: kind, confidence }: TextFinding) =>
    confidence >= LEAST_CONFIDENCE && settings.actionOf(kind) !== "keep";

  const further = createFindFurther(settings);

  const toFilter = (met: Met): FilterParts => ({
    find: known.find,
    toShown(entry, written, isPart) {
      // Some of a name is another text than the name: its token gives back just that.
      const isWord = isPart && written !== "" && entry.value.includes(written);
      return isWord ? values.show(entry.class, written, met) : values.showKnown(entry);
    },
  });
  const filter = (text: string, met: Met) => filterText(text, toFilter(met));
  /** Where nothing new may be kept any more. */
  const lastFilter: FilterParts = { find: known.find, toShown: values.showKnown };

  /** What others find is known before anything is shown, and found by that. */
  function after<Result>(
    value: unknown,
    met: Met,
    act: () => Result | Promise<Result>,
  ): Result | Promise<Result> {
    return further === undefined ? act() : noteFurther(value, met, further).then(act);
  }

  async function noteFurther(value: unknown, met: Met, find: FindFurther): Promise<void> {
    const read = value instanceof UnparsedJson ? value.parse() : value;
    for (const { class: kind, value: found } of await find(read))
      if (settings.actionOf(kind) !== "keep") values.note(kind, found, met);
  }

  function concealText(text: string, met: Met, escapes: boolean, isLiteral = false): string {
    const places: TokenPlace[] = [];
    const found = detectInText(text, { region, names, isLiteral }).filter(isMeant);
    for (const finding of outsideTokens(text, found)) {
      const { class: kind, start, end, value = text.slice(start, end), quote } = finding;
      const token = values.show(kind, value, met);
      if (token !== undefined) places.push({ start, end, token, form: "plain", quote });
    }
    const placed = places.length > 0 || escapes ? placeTokens(text, places, { escapes }) : text;
    return filter(placed, met);
  }

  function concealJson(value: unknown, met: Met & { schema?: unknown }, escapes: boolean): unknown {
    if (isLargerThan(value, LARGE)) return concealLarge(value, met, escapes);
    const found = detectInJson(value, { region, names, schema: met.schema }).filter(isMeant);
    const replace = (finding: JsonFinding, written: string) =>
      isOwn(written, escapes) ? undefined : showFinding(finding, written, met);
    const placed = applyFindings(value, found, replace, { escape: escapes });
    return mapTexts(placed, (text) => filter(text, met));
  }

  function showFinding(finding: JsonFinding, written: string, met: Met): string | undefined {
    const { class: kind, value = written, path } = finding;
    return values.show(kind, value, { ...met, together: toRecord(met.together, path) });
  }

  async function concealLarge(
    value: unknown,
    met: Met & { schema?: unknown },
    escapes: boolean,
  ): Promise<unknown> {
    const rewritten = await rewriteLarge(Buffer.from(JSON.stringify(value) ?? "null"), met, escapes);
    const parsed: unknown = JSON.parse(new TextDecoder().decode(rewritten));
    return finishInSlices(mapInSlices(parsed, (text) => filterInPieces(text, toFilter(met))));
  }

  async function scan(
    json: Uint8Array,
    { schema }: { schema?: unknown },
    { wantsRewrite, escapes }: { wantsRewrite: boolean; escapes?: boolean },
  ) {
    return scanLarge(json, {
      ...(region === undefined ? {} : { region }),
      schema,
      classes,
      names: known.listNames(MAX_LARGE_NAMES),
      maxValues: MAX_LARGE_VALUES,
      wantsRewrite,
      ...(escapes === undefined ? {} : { escapes }),
    });
  }

  async function rewriteLarge(
    json: Uint8Array,
    met: Met & { schema?: unknown },
    escapes: boolean,
  ): Promise<Uint8Array> {
    const found = await scan(json, met, { wantsRewrite: true, escapes });
    try {
      const shown: string[] = [];
      await eachInSlices(found.found, ({ class: kind, value, together }) => {
        const group = toGroup(met.together, together);
        const token = isOwn(value, escapes)
          ? undefined
          : values.show(kind, value, { ...met, together: group });
        shown.push(token ?? value);
      });
      return await found.rewrite(shown);
    } finally {
      found.close();
    }
  }

  async function noteLarge(json: Uint8Array, met: Met & { schema?: unknown }): Promise<void> {
    const found: LargeScan = await scan(json, met, { wantsRewrite: false });
    found.close();
    await eachInSlices(found.found, ({ class: kind, value, together }) =>
      values.note(kind, value, { ...met, together: toGroup(met.together, together) }),
    );
  }

  function noteJson(value: unknown, met: Met & { schema?: unknown }): unknown {
    const found = detectInJson(value, { region, names, schema: met.schema }).filter(isMeant);
    if (found.length === 0) return value;
    // What is blocked does not even enter.
    const isBlocked = ({ class: kind }: JsonFinding) => settings.actionOf(kind, met.server) === "block";
    return applyFindings(
      value,
      found,
      (finding, written) => {
        const shown = showFinding(finding, written, met);
        return isBlocked(finding) ? shown : undefined;
      },
      { escape: false },
    );
  }

  async function showLong(text: string, met: Met): Promise<string> {
    const shown = await concealLarge(text, met, !isBoundary);
    return typeof shown === "string" ? shown : "";
  }

  function concealShort<Value>(value: Value, met: Met): Value {
    const shown = concealJson(toShort(value), met, !isBoundary);
    return shown as Value;
  }

  const toMet = ({ session, server, callId, schema }: ResultSource) => ({
    session,
    server,
    together: callId,
    ...(schema === undefined ? {} : { schema }),
  });

  function takeResult(value: unknown, from: ResultSource): unknown {
    const met = toMet(from);
    if (value instanceof UnparsedJson) {
      if (!isBoundary) return noteLarge(value.bytes, met).then(() => value);
      return rewriteLarge(value.bytes, met, true).then((bytes) => new UnparsedJson(bytes));
    }
    if (value instanceof Uint8Array) return value;
    if (isBoundary) return concealJson(value, met, true);
    if (!isLargerThan(value, LARGE)) return noteJson(value, met);
    return noteLarge(Buffer.from(JSON.stringify(value) ?? "null"), met).then(() => value);
  }

  return {
    mode,
    enterProgram(code, language, session) {
      if (isBoundary) {
        const met = { session };
        return {
          code: concealInProgram(code, language, (text) => concealText(text, met, false, true)),
          unknown: [],
        };
      }
      const { code: revealed, faults } = revealInProgram(code, language, vault);
      return { code: revealed, unknown: faults.map(({ written }) => written) };
    },
    takeResult: (value, from) => after(value, toMet(from), () => takeResult(value, from)),
    takeText(text, from) {
      const met = toMet(from);
      if (isBoundary) return concealText(text, met, true);
      noteJson(text, met);
      return text;
    },
    sendArguments(args, to) {
      if (isBoundary) return revealArguments(args, to, vault, settings);
      if (settings.hasRevealRules(to.server) || headerParameters(to.inputSchema).size > 0) {
        const assertMay = createRevealGuard(to, settings);
        for (const [parameter, value] of Object.entries(args)) {
          eachText(value, (text) => {
            for (const { entry } of known.find(text).matches) assertMay(entry.class, parameter);
          });
        }
      }
      return args;
    },
    showValue: (value, session) =>
      after(value, { session }, () => concealJson(value, { session }, !isBoundary)),
    showLine: (text, session) =>
      after(text, { session }, () =>
        text.length <= LARGE ? concealText(text, { session }, !isBoundary) : showLong(text, { session }),
      ),
    showStart(text, session) {
      const shown = concealText(text.slice(0, MAX_START), { session }, !isBoundary);
      return text.length <= MAX_START ? shown : `${shown.slice(0, -MAX_CUT)}…`;
    },
    showShort: (value, session) => concealShort(value, { session }),
    showText: (text, session) => concealText(text, { session }, !isBoundary),
    takeBack: (text) => (isBoundary ? text : revealTokens(text, vault).text),
    filter: (text) => filterText(text, lastFilter),
    commit: values.commit,
    tellsFacts: settings.helpers,
    factsIn: createFacts({ vault, settings, names, isMeant }),
  };
}

/** Whether tokens of ours are in it: where data has none that only look so, they are. */
function isOwn(text: string, escapes: boolean): boolean {
  return !escapes && findTokenShapes(text).some(({ kind }) => kind === "whole");
}

async function eachInSlices<Item>(items: readonly Item[], act: (item: Item) => void): Promise<void> {
  function* work() {
    for (const item of items) {
      act(item);
      yield;
    }
  }
  await finishInSlices(work());
}

/** The values of one record: what lies under the same place of the innermost list. */
function toRecord(call: string | undefined, path: string): string | undefined {
  if (call === undefined) return undefined;
  const steps = path.split("/");
  const last = steps.findLastIndex((step) => /^\d+$/.test(step));
  return `${call} ${steps.slice(0, last + 1).join("/")}`;
}

function toGroup(call: string | undefined, group: number | undefined): string | undefined {
  return call === undefined || group === undefined ? undefined : `${call} #${group}`;
}
