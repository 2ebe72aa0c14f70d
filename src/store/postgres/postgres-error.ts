import { errorMessage, KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { StoreError, type StoreFault } from "../database/store-error.ts";
import { toStoreName } from "./store-name.ts";

/** In the hint, `{setting}` stands for the key that has the address. */
type Words = readonly [fault: StoreFault, what: string, hint: string];

const UNREACHED: Words = [
  "unopened",
  "can't be reached",
  'See that the server runs, and that "{setting}" names its host, port and database',
];
const REFUSED: Words = [
  "unopened",
  "refuses this user",
  'See user and password in "{setting}", and the server\'s pg_hba.conf',
];
const FORBIDDEN: Words = [
  "read_only",
  "does not let this user write",
  'Give the user of "{setting}" the right to create and write tables there',
];
const READ_ONLY: Words = ["read_only", "can't be written to", "Name the server that takes writes"];
const FULL: Words = ["full", "can't grow: the server's disk is full", "Make room on the server's disk"];
const BUSY: Words = ["locked", "is held by another program for too long", "See who holds its tables"];
const CROWDED: Words = ["locked", "has no connection left", "Try again, or raise max_connections"];
const MISSING: Words = ["unopened", "is not there", "Create the database, or name another"];
const DAMAGED: Words = ["damaged", "is damaged", "Restore it from a backup"];
const FAILED: Words = ["other", "failed", "See the server's log"];

/** By SQLSTATE, or the first two letters of it; and by the system's codes. */
const BY_CODE: Readonly<Record<string, Words>> = {
  "08": UNREACHED,
  "28": REFUSED,
  "3D": MISSING,
  "42501": FORBIDDEN,
  "25006": READ_ONLY,
  "53": FULL,
  "53300": CROWDED,
  "55P03": BUSY,
  "57014": BUSY,
  "57": UNREACHED,
  XX: DAMAGED,
  ECONNREFUSED: UNREACHED,
  ECONNRESET: UNREACHED,
  ENOTFOUND: UNREACHED,
  EAI_AGAIN: UNREACHED,
  ENOENT: UNREACHED,
  ETIMEDOUT: UNREACHED,
  EHOSTUNREACH: UNREACHED,
  ENETUNREACH: UNREACHED,
  EPIPE: UNREACHED,
};

/** What a server says is shown; where it is, without the password, and nothing of what an address could not be read for. */
export function toPostgresError(error: unknown, store: string, setting: string): KeyholeError {
  if (error instanceof KeyholeError) return error;
  const [fault, what, hint] = findWords(error);
  const said = toExcerpt(withoutPassword(errorMessage(error), store));
  return new StoreError(
    fault,
    `The store "${toStoreName(store)}" ${what}: ${said}`,
    hint.replace("{setting}", setting),
  );
}

function findWords(error: unknown): Words {
  if (!(error instanceof Error)) return FAILED;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const known = BY_CODE[code] ?? BY_CODE[code.slice(0, 2)];
  // The library gives no code where a connection broke, or took too long.
  return known ?? (code === "" ? UNREACHED : FAILED);
}

function withoutPassword(text: string, store: string): string {
  const password = URL.canParse(store) ? new URL(store).password : "";
  if (password === "") return text;
  return [password, decode(password)].reduce((shown, secret) => shown.replaceAll(secret, "…"), text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
