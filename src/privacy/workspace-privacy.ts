import { eachText } from "../text/each-text.ts";
import { UnparsedJson } from "../text/unparsed-json.ts";
import type { PiiFact } from "../text/with-facts.ts";
import { createConcealer } from "./conceal/concealer.ts";
import { type FilterParts, filterText } from "./conceal/filter-text.ts";
import { createKnownValues } from "./conceal/known-values.ts";
import { createShownValues, type Met, type MetValue } from "./conceal/shown-values.ts";
import { toShort, withLengths } from "./conceal/to-short.ts";
import { createFindFurther, type FindFurther } from "./detect/further.ts";
import { createFacts } from "./facts-in.ts";
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
import { revealTokens } from "./token-text/reveal-tokens.ts";
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
  takeText(text: string, from: ResultSource): Promise<string>;
  /** Arguments on their way to a tool. Fails where it may not see them. */
  sendArguments(args: Arguments, to: Recipient): Arguments;
  /** What the model is shown, whatever made it: each text once, where it leaves the world of programs. */
  showValue(value: unknown, session: string): unknown;
  /** The same for a text, as a text. */
  showText(text: string, session: string): Promise<string>;
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

/** What a note of progress shows is less. */
const MAX_START = 4_096;
/** What a value that was cut off can have left. */
const MAX_CUT = 256;
/** Of a literal in a program. */
const MAX_LITERAL = 64 * 1024;

export async function openWorkspacePrivacy(options: WorkspacePrivacyOptions): Promise<WorkspacePrivacy> {
  const { vault, settings } = options;
  const { mode } = settings;
  const isBoundary = mode === "boundary";
  const known = await createKnownValues(vault);
  const values = createShownValues(options);
  const conceal = createConcealer({ settings, known, values });
  const further = createFindFurther(settings);
  /** Inside is the world of values: what looks like a token there is data. */
  const leaving = { escapes: !isBoundary };
  const entering = { escapes: true };
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

  function take(value: unknown, met: MetValue): unknown {
    if (value instanceof UnparsedJson) return takeLarge(value, met);
    if (value instanceof Uint8Array) return value;
    return isBoundary ? conceal.json(value, met, entering) : conceal.note(value, met);
  }

  async function takeLarge(value: UnparsedJson, met: MetValue): Promise<UnparsedJson> {
    const { bytes } = value;
    const taken = isBoundary
      ? await conceal.largeJson(bytes, met, entering)
      : await conceal.noteLarge(bytes, met);
    return taken === bytes ? value : new UnparsedJson(taken);
  }

  /** In egress mode nothing is revealed, but where it is said what a tool may see, that is held. */
  function assertSeen(args: Arguments, to: Recipient): void {
    if (!settings.hasRevealRules(to.server) && headerParameters(to.inputSchema).size === 0) return;
    const assertMay = createRevealGuard(to, settings);
    for (const [parameter, value] of Object.entries(args)) {
      eachText(value, (text) => {
        for (const { entry } of known.find(text).matches) assertMay(entry.class, parameter);
      });
    }
  }

  /** A text that a program has is no longer than a program; one beyond that is left, and concealed as it leaves. */
  function concealLiteral(text: string, session: string): string {
    if (text.length > MAX_LITERAL) return text;
    return conceal.text(text, { session }, { escapes: false, isLiteral: true });
  }

  return {
    mode,
    enterProgram(code, language, session) {
      if (isBoundary)
        return {
          code: concealInProgram(code, language, (text) => concealLiteral(text, session)),
          unknown: [],
        };
      const { code: revealed, faults } = revealInProgram(code, language, vault);
      return { code: revealed, unknown: faults.map(({ written }) => written) };
    },
    takeResult: (value, from) => after(value, toMet(from), () => take(value, toMet(from))),
    async takeText(text, from) {
      const taken = await take(text, toMet(from));
      return typeof taken === "string" ? taken : "";
    },
    sendArguments(args, to) {
      if (isBoundary) return revealArguments(args, to, vault, settings);
      assertSeen(args, to);
      return args;
    },
    showValue: (value, session) => after(value, { session }, () => conceal.json(value, { session }, leaving)),
    async showText(text, session) {
      const shown = await after(text, { session }, () => showWhole(text, session));
      return typeof shown === "string" ? shown : "";
    },
    showStart(text, session) {
      const shown = conceal.text(text.slice(0, MAX_START), { session }, leaving);
      return text.length <= MAX_START ? shown : `${shown.slice(0, -MAX_CUT)}…`;
    },
    showShort<Value>(value: Value, session: string): Value {
      return withLengths(conceal.json(toShort(value), { session }, leaving), value) as Value;
    },
    takeBack: (text) => (isBoundary ? text : revealTokens(text, vault).text),
    filter: (text) => filterText(text, lastFilter),
    commit: values.commit,
    tellsFacts: settings.helpers,
    factsIn: createFacts({ vault, settings, names: known.names, isMeant: conceal.isMeant }),
  };

  function showWhole(text: string, session: string): unknown {
    const isLong = text.length > MAX_LITERAL;
    return isLong ? conceal.json(text, { session }, leaving) : conceal.text(text, { session }, leaving);
  }
}

function toMet({ session, server, callId, schema }: ResultSource): MetValue {
  return { session, server, together: callId, ...(schema === undefined ? {} : { schema }) };
}
