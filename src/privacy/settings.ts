import type { LoadedConfig } from "../config/load.ts";
import { type ConfiguredAction, DEFAULT_ACTIONS, PII_ACTIONS } from "../config/privacy/actions.ts";
import {
  DEFAULT_PRESIDIO_TIMEOUT_MS,
  PRIVACY_MODES,
  toDefaultMode,
} from "../config/privacy/privacy-defaults.ts";
import type { PrivacySection } from "../config/privacy/schema.ts";
import type { KeyholeConfig } from "../config/schema.ts";
import { type PiiClass, SECRET_CLASSES } from "../pii-classes.ts";
import { createRevealRules, type RevealPlace } from "./reveal-rules.ts";

export type PiiAction = ConfiguredAction;

/** What the config says of personal data. Where several files speak, the strictest holds. */
export type PrivacySettings = {
  readonly mode: "egress" | "boundary";
  readonly region: string | undefined;
  /** Whether programs may be told parts of values. */
  readonly helpers: boolean;
  readonly presidio: { readonly url: string; readonly timeoutMs: number } | undefined;
  readonly names: "lists" | "compromise";
  /** Of values of this class; `server`: that it comes from. */
  actionOf(kind: PiiClass, server?: string): PiiAction;
  /**
   * Whether a value may be told there. `named`: the config names its class for this place; `default`: nothing is said of this
   * server; `denied`: others are named.
   */
  reveal(kind: PiiClass, to: RevealPlace): "named" | "default" | "denied";
  /** Whether anything is said of what this server may be told: then arguments are looked at in egress mode too. */
  hasRevealRules(server: string): boolean;
};

export function toPrivacySettings({
  config,
  policies,
}: {
  readonly config: Pick<KeyholeConfig, "securityLevel" | "piiTokenization" | "privacy">;
  readonly policies: LoadedConfig["policies"];
}): PrivacySettings {
  const sections = policies.flatMap(({ privacy }) => privacy ?? []);
  const rules = sections.map((section) => createRevealRules(section.servers ?? {}));
  const known = new Map<string, PiiAction>();
  const { region, presidio, names = "lists" } = config.privacy ?? {};

  function decide(kind: PiiClass, server: string | undefined): PiiAction {
    const said = sections.flatMap(({ classes }, at) => {
      const ofServer = server === undefined ? undefined : rules[at]?.actionOf(kind, server);
      return ofServer ?? classes?.[kind] ?? [];
    });
    const action = PII_ACTIONS.findLast((one) => said.includes(one)) ?? DEFAULT_ACTIONS[kind];
    const isOff = !config.piiTokenization && action === "tokenise" && !SECRETS.has(kind);
    return isOff ? "keep" : action;
  }

  return {
    mode: strictestMode(sections) ?? toDefaultMode(config.securityLevel),
    region,
    helpers: sections.every(({ helpers }) => helpers !== false),
    presidio: presidio ? { timeoutMs: DEFAULT_PRESIDIO_TIMEOUT_MS, ...presidio } : undefined,
    names,
    actionOf(kind, server) {
      const key = `${kind}\0${server ?? ""}`;
      const action = known.get(key) ?? decide(kind, server);
      known.set(key, action);
      return action;
    },
    reveal(kind, to) {
      const answers = new Set(rules.map((one) => one.reveal(kind, to)));
      if (answers.has("denied")) return "denied";
      return answers.has("named") ? "named" : "default";
    },
    hasRevealRules: (server) => rules.some((one) => one.hasRules(server)),
  };
}

const SECRETS: ReadonlySet<PiiClass> = new Set(SECRET_CLASSES);

function strictestMode(sections: readonly PrivacySection[]): PrivacySettings["mode"] | undefined {
  return PRIVACY_MODES.findLast((mode) => sections.some((section) => section.mode === mode));
}
