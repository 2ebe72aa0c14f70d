import { KeyholeError } from "../../errors.ts";
import type { PiiClass } from "../../pii-classes.ts";
import { finishInSlices } from "../../text/slices.ts";
import { type LargeScan, scanLarge } from "../large/scan-large.ts";
import type { PrivacySettings } from "../settings.ts";
import { hasToken } from "../token-text/has-token.ts";
import type { KnownValues } from "./known-values.ts";
import type { MetValue, ShownValues } from "./shown-values.ts";

/** Values that the main thread does not look at itself, as JSON. */
export type LargeValues = {
  /** With tokens. */
  rewrite(json: Uint8Array, met: MetValue, options: RewriteOptions): Promise<Uint8Array>;
  /** As it is, but for what is blocked. */
  block(json: Uint8Array, met: MetValue): Promise<Uint8Array>;
  note(json: Uint8Array, met: MetValue): Promise<void>;
};

type RewriteOptions = { readonly escapes: boolean; readonly entersTokens?: boolean };

const MAX_VALUES = 50_000;
const NAMES_FROM = 256 * 1024;
const MAX_NAMES = 5_000;

export type LargeValuesOptions = {
  readonly settings: PrivacySettings;
  readonly known: KnownValues;
  readonly values: ShownValues;
  readonly classes: readonly PiiClass[];
};

export function createLargeValues({ settings, known, values, classes }: LargeValuesOptions): LargeValues {
  function scan(json: Uint8Array, { schema }: MetValue, rewriting?: RewriteOptions) {
    return scanLarge(json, {
      region: settings.region,
      schema,
      classes,
      // A name that is known is found by that; with many of them it takes longer to hand them over than to look.
      names: json.length < NAMES_FROM ? [] : known.listNames(MAX_NAMES),
      maxValues: MAX_VALUES,
      wantsRewrite: rewriting !== undefined,
      ...(rewriting && { escapes: rewriting.escapes, bareWords: rewriting.entersTokens ?? false }),
    });
  }

  async function rewrite(
    json: Uint8Array,
    met: MetValue,
    options: RewriteOptions,
    isReplaced: (kind: PiiClass) => boolean = () => true,
  ): Promise<Uint8Array> {
    const scanned = await scan(json, met, options);
    if (scanned.isCut && options.entersTokens === true) {
      scanned.close();
      throw tooMany();
    }
    try {
      const shown: string[] = [];
      await eachFound(scanned, ({ class: kind, value, together }) => {
        const isKept = !options.escapes && hasToken(value);
        const token = isKept ? undefined : values.show(kind, value, withGroup(met, together));
        shown.push(isReplaced(kind) ? (token ?? value) : value);
      });
      return await scanned.rewrite(shown);
    } finally {
      scanned.close();
    }
  }

  return {
    rewrite,
    block: (json, met) =>
      rewrite(json, met, { escapes: false }, (kind) => settings.actionOf(kind, met.server) === "block"),
    async note(json, met) {
      const scanned = await scan(json, met);
      scanned.close();
      await eachFound(scanned, ({ class: kind, value, together }) =>
        values.note(kind, value, withGroup(met, together)),
      );
    },
  };
}

/** Without a token each, they could not be told apart, nor sent on. */
function tooMany(): KeyholeError {
  return new KeyholeError("too_large", `A result holds more than ${MAX_VALUES} personal values`, {
    hint: "Ask for less at once",
  });
}

async function eachFound(
  { found }: LargeScan,
  act: (one: LargeScan["found"][number]) => void,
): Promise<void> {
  function* work() {
    for (const one of found) {
      act(one);
      yield;
    }
  }
  await finishInSlices(work());
}

function withGroup(met: MetValue, group: number | undefined): MetValue {
  const { together } = met;
  return {
    ...met,
    together: together === undefined || group === undefined ? undefined : `${together} #${group}`,
  };
}
