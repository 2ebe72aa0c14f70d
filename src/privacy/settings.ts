import type { PiiClass } from "../pii-classes.ts";

export type PiiAction = "tokenise" | "mask" | "keep" | "block";

export type RevealPlace = {
  readonly server: string;
  readonly tool: string;
  readonly function?: string;
  readonly parameter?: string;
};

export type PrivacySettings = {
  readonly mode: "egress" | "boundary";
  readonly region: string | undefined;
  readonly helpers: boolean;
  actionOf(kind: PiiClass, server?: string): PiiAction;
  reveal(kind: PiiClass, to: RevealPlace): "named" | "default" | "denied";
  hasRevealRules(server: string): boolean;
};
