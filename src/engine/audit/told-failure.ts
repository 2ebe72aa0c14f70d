import type { ErrorCode, KeyholeError } from "../../errors.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { FailureKind, RunFailure } from "../../run-failure.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { toMasked } from "./run-trail.ts";
import type { AuditTrail } from "./trail.ts";

type Masking = WorkspacePrivacy | undefined;
type Contents = AuditTrail["contents"];

/** What a program throws can be any result, and what a server says is its data: both are contents. */
const SAID: Readonly<Partial<Record<FailureKind, string>>> = {
  exception: "The program threw an error that it did not catch",
  tool_error: "A call failed, and the program did not catch that",
  stuck: "The program awaits what nothing can settle any more",
  types: "The types of the program do not fit the tools",
};

/** These quote the program, whose text is kept unless nothing is. */
const QUOTED: Readonly<Partial<Record<FailureKind, string>>> = {
  syntax: "The program can't be read",
  import: "The program imports what there is not",
  language: "There are no programs in this language here",
  denied: "Validation refused the program",
};

const MAX_MESSAGE = 300;

/** Why a run failed, as it is kept: in our own words where others' are not. */
export function toToldFailure(error: RunFailure, contents: Contents, privacy: Masking): string | undefined {
  const { kind } = error;
  const isRuled = kind === "denied" && error.findings.length === 0;
  const own = SAID[kind] ?? (contents === "none" && !isRuled ? QUOTED[kind] : undefined);
  if (own === undefined || contents === "all")
    return toMasked(toExcerpt(error.message, MAX_MESSAGE), privacy);
  return kind === "tool_error" && error.code !== undefined ? `${own} (${error.code})` : own;
}

/** Servers' words are data, and stay out of it. */
const SERVERS: Readonly<Partial<Record<ErrorCode, string>>> = {
  tool_failed: "The tool failed",
  server_misbehaved: "The server answered what is no answer",
  server_closed: "The server closed the connection",
  server_unreachable: "The server could not be reached",
  input_required: "The tool wants an answer that nobody can give here",
};

/** These quote what the program has called, and with what. */
const CALLED: Readonly<Partial<Record<ErrorCode, string>>> = {
  usage: "Its arguments are none that the tool takes",
  tool_unknown: "There is no such tool",
  server_unknown: "There is no such server",
  internal: "It failed within Keyhole",
};

/** The same of a call. */
export function toToldError({ code, message }: KeyholeError, contents: Contents, privacy: Masking): string {
  const own = SERVERS[code] ?? (contents === "all" ? undefined : CALLED[code]);
  return own ?? toMasked(message, privacy) ?? code;
}
