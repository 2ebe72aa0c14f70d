import { eachText } from "../text/each-text.ts";
import { UnparsedJson } from "../text/unparsed-json.ts";
import type { PiiFact } from "../text/with-facts.ts";
import { createConcealer } from "./conceal/concealer.ts";
import { type FilterParts, filterText } from "./conceal/filter-text.ts";
import { createKnownValues } from "./conceal/known-values.ts";
import { isLargerThan } from "./conceal/map-in-slices.ts";
import { createMasker, type Masker } from "./conceal/masker.ts";
import { createShownValues, type FoundValues, type Met, type MetValue } from "./conceal/shown-values.ts";
import { createSpellings, type SpellingPlace } from "./conceal/spellings.ts";
import { toShort, withLengths, withoutTexts } from "./conceal/to-short.ts";
import { createFindFurther, type FindFurther } from "./detect/further.ts";
import { createFacts } from "./facts-in.ts";
import { isScanReady } from "./large/scan-large.ts";
import { createLooking } from "./looking.ts";
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
  /** Gets what is found, by its token. */
  readonly found?: FoundValues;
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
  /** Nothing where all that came in was looked at. To be waited for before anybody is shown anything by another way than `show…`. */
  settled(session: string): Promise<void> | undefined;
  /** Arguments on their way to a tool. Fails where it may not see them. */
  sendArguments(args: Arguments, to: Recipient, session: string): Arguments;
  /** What the model is shown, whatever made it: each text once, where it leaves the world of programs. */
  showValue(value: unknown, session: string, found?: FoundValues): unknown;
  /** The same for a text, as a text. */
  showText(text: string, session: string, found?: FoundValues): Promise<string>;
  /** Many that are about to be shown: what is in them is known beforehand. */
  expectTexts(texts: readonly string[], session: string): void;
  /** The beginning of a text, as much as is told while a program runs. */
  showStart(text: string, session: string): string;
  /** As much of a value as is told in a line about it. */
  showShort<Value>(value: Value, session: string): Value;
  /** What was shown once, on its way back into a program. */
  takeBack(text: string): string;
  /** The last look at what leaves: no value that is known; in a key none that could be a word. It can be done again. */
  filter(text: string, isKey?: boolean): string;
  /** A text for what is kept for good, without any value, whatever may be seen. Nothing becomes known by it. */
  readonly mask: Masker;
  /** Which of the values that are known stand in a text. */
  knownIn(text: string, found: FoundValues): void;
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

/** Less is looked at in the time that it takes to hand it over and to wake a thread. */
const SMALL = 32 * 1024;
const WITHHELD = "…";
/** What a note of progress shows is less. */
const MAX_START = 4_096;
/** What a value that was cut off can have left. */
const MAX_CUT = 256;
/** Of a literal in a program. */
const MAX_LITERAL = 64 * 1024;
/** The beginning of a URL: scheme, host and port. One with user info is personal as a whole. */
const PLACE = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@\\"'<>()]*(?=[/?#\s]|$)/i;

export async function openWorkspacePrivacy(options: WorkspacePrivacyOptions): Promise<WorkspacePrivacy> {
  const { vault, settings } = options;
  const { mode } = settings;
  const isBoundary = mode === "boundary";
  const known = await createKnownValues(vault);
  const spellings = createSpellings();
  const values = createShownValues({ ...options, spellings });
  const conceal = createConcealer({ settings, known, values });
  const further = createFindFurther(settings);
  const looking = createLooking();
  /** Inside is the world of values: what looks like a token there is data. */
  const leaving = { escapes: !isBoundary };
  const entering = { escapes: true, entersTokens: true };
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

  /** And what is still looked at. */
  function afterAll<Result>(
    value: unknown,
    met: Met,
    act: () => Result | Promise<Result>,
  ): Result | Promise<Result> {
    const settled = looking.settled(met.session);
    return settled === undefined ? after(value, met, act) : settled.then(() => after(value, met, act));
  }

  async function noteFurther(value: unknown, met: Met, find: FindFurther): Promise<void> {
    const read = value instanceof UnparsedJson ? value.parse() : value;
    for (const { class: kind, value: found } of await find(read))
      if (settings.actionOf(kind) !== "keep") values.note(kind, found, met);
  }

  function take(value: unknown, met: MetValue): unknown {
    if (value instanceof Uint8Array) return value;
    if (canGoOn(value, met)) return lookLater(value, met);
    if (value instanceof UnparsedJson) return takeLarge(value, met);
    return isBoundary ? conceal.json(value, met, entering) : conceal.note(value, met);
  }

  /** In egress mode the program has the value as it is: it need not wait until another thread has looked at it. */
  function canGoOn(value: unknown, met: MetValue): boolean {
    if (isBoundary || further !== undefined || conceal.blocks(met) || looking.isFull()) return false;
    return value instanceof UnparsedJson || (isScanReady() && isLargerThan(value, SMALL));
  }

  function lookLater<Value>(value: Value, met: MetValue): Value {
    const json = value instanceof UnparsedJson ? value.bytes : Buffer.from(JSON.stringify(value) ?? "null");
    looking.add(met.session, json.length, conceal.noteLarge(json, met));
    return value;
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
      const look = (text: string) => {
        for (const { entry } of known.find(text).matches) assertMay(entry.class, parameter);
      };
      look(parameter);
      eachText(value, look, { numbers: true });
    }
  }

  /** A value goes to a server as that server has it. */
  const asMet = (met: SpellingPlace) => ({
    valueOf: (token: string) => spellings.of(met, token)?.text ?? vault.valueOf(token),
    hasGiven: vault.hasGiven,
    isNumber: (token: string) => spellings.of(met, token)?.isNumber ?? false,
  });

  /** A text that a program has is no longer than a program; one beyond that is left, and concealed as it leaves. */
  function concealLiteral(text: string, session: string): string {
    if (text.length > MAX_LITERAL) return text;
    // Where something is reached says nothing of anybody, and has to stay an address.
    const [place = ""] = PLACE.exec(text) ?? [];
    const rest = text.slice(place.length);
    return rest === ""
      ? text
      : place + conceal.text(rest, { session }, { escapes: false, isLiteral: place === "" });
  }

  /** All at once: the search for what is known is built anew for each that is new in between. */
  function noteLiterals(code: string, language: ProgramLanguage, session: string): void {
    const texts: string[] = [];
    concealInProgram(code, language, (text) => {
      if (text.length <= MAX_LITERAL) texts.push(text);
      return text;
    });
    for (const text of texts) conceal.noteText(text, { session }, { escapes: false, isLiteral: true });
  }

  return {
    mode,
    enterProgram(code, language, session) {
      if (isBoundary) {
        noteLiterals(code, language, session);
        return {
          code: concealInProgram(code, language, (text) => concealLiteral(text, session)),
          unknown: [],
        };
      }
      const { code: revealed, faults } = revealInProgram(code, language, vault);
      return { code: revealed, unknown: faults.map(({ written }) => written) };
    },
    takeResult: (value, from) => after(value, toMet(from), () => take(value, toMet(from))),
    async takeText(text, from) {
      const taken = await take(text, toMet(from));
      return typeof taken === "string" ? taken : "";
    },
    sendArguments(args, to, session) {
      if (isBoundary) return revealArguments(args, to, asMet({ session, server: to.server }), settings);
      assertSeen(args, to);
      return args;
    },
    settled: looking.settled,
    showValue: (value, session, found) =>
      afterAll(value, { session, found }, () => conceal.json(value, { session, found }, leaving)),
    async showText(text, session, found) {
      const shown = await afterAll(text, { session, found }, () => showWhole(text, { session, found }));
      return typeof shown === "string" ? shown : "";
    },
    expectTexts(texts, session) {
      for (const text of texts) if (text.length <= MAX_LITERAL) conceal.noteText(text, { session }, leaving);
    },
    showStart(text, session) {
      // Whoever waits for it is told again.
      if (looking.isUnderWay) return WITHHELD;
      const shown = conceal.text(text.slice(0, MAX_START), { session }, leaving);
      return text.length <= MAX_START ? shown : `${shown.slice(0, -MAX_CUT)}…`;
    },
    showShort<Value>(value: Value, session: string): Value {
      if (looking.isUnderWay) return withoutTexts(value);
      return withLengths(conceal.json(toShort(value), { session }, leaving), value) as Value;
    },
    takeBack: (text) => (isBoundary ? text : revealTokens(text, vault).text),
    filter: (text, isKey = false) => filterText(text, lastFilter, isKey),
    mask: createMasker(known, settings.region),
    knownIn(text, found) {
      for (const { entry } of known.find(text).matches) found.set(entry.token, entry.class);
    },
    commit: values.commit,
    tellsFacts: settings.helpers,
    factsIn: createFacts({ vault, settings, names: known.names, isMeant: conceal.isMeant }),
  };

  function showWhole(text: string, met: Met): unknown {
    const isLong = text.length > MAX_LITERAL;
    return isLong ? conceal.json(text, met, leaving) : conceal.text(text, met, leaving);
  }
}

function toMet({ session, server, callId, schema, found }: ResultSource): MetValue {
  return { session, server, together: callId, found, ...(schema === undefined ? {} : { schema }) };
}
