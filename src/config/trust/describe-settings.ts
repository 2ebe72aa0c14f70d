import { DEFAULTS } from "../defaults.ts";
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from "../files/json-value.ts";
import { formatKeyPath, type KeyPath } from "../files/key-path.ts";
import { combineStricter } from "../stricter.ts";
import { dropUsersOwn, usersOwnIn } from "../users-own.ts";
import { bounded, type Shown } from "./describe-server.ts";
import { DEFAULT_BLOCK } from "./hold-stricter.ts";
import { MASKED, toShown, toShownArgument, toShownJson, toShownValue } from "./shown-text.ts";

const MAX_LOOSER = 50;
/** What is known to be stricter, looser or neither. Any other section may be what opens a door. */
const JUDGED = new Set([
  ...Object.keys(DEFAULTS),
  "resourceLimits",
  "journal",
  "approval",
  "http",
  "permissions",
  "search",
  "output",
  "maxConcurrentTasks",
  "privacy",
]);

/** What a config says apart from its servers, a line for each value; what makes anything looser is told in words. */
export function describeSettings(settings: JsonObject): Shown {
  const obeyed = dropUsersOwn(settings);
  const looser = [...looserThanDefault(obeyed), ...openings(obeyed)];
  const idle = usersOwnIn(settings).map(
    (path) => `${formatKeyPath(path)} is not obeyed: it counts in your own config alone`,
  );
  const remarks = looser.slice(0, MAX_LOOSER).map((text) => `makes looser: ${text}`);
  if (looser.length > MAX_LOOSER) remarks.push(`makes ${looser.length - MAX_LOOSER} more things looser`);
  return { lines: bounded(linesOf(settings, [])), remarks: [...remarks, ...idle] };
}

function linesOf(value: JsonValue, path: KeyPath): string[] {
  if (Array.isArray(value) && value.some((item) => typeof item === "object"))
    return value.flatMap((item, at) => linesOf(item, [...path, at]));
  if (isJsonObject(value) && !isRule(path)) {
    return Object.entries(value).flatMap(([key, item]) => linesOf(item, [...path, key]));
  }
  const key = path.findLast((step) => typeof step === "string") ?? "";
  return [`${toShown(formatKeyPath(path))}: ${showValue(String(key), value, path)}`];
}

/** A rule is read as a whole, on one line. */
function isRule(path: KeyPath): boolean {
  return path.length === 3 && path[0] === "permissions" && path[1] === "rules";
}

function showValue(key: string, value: JsonValue, path: KeyPath): string {
  const isToken = path[0] === "http" && (path[1] === "tokens" || path[1] === "approvers");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (isToken) return isReferences(value) ? text : MASKED;
  return typeof value === "string" ? toShownValue(key, text) : toShownJson(value);
}

function isReferences(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isReferences);
  return typeof value === "string" && /^\$\{[A-Za-z_]\w*\}$/.test(value);
}

/** By the one table of what is stricter. */
function looserThanDefault(settings: JsonObject): string[] {
  return Object.keys(settings).flatMap((key) => {
    const one = createJsonObject();
    one[key] = settings[key] ?? null;
    return differences(
      combineStricter(DEFAULT_BLOCK, one)[key],
      settings[key],
      [key],
      DEFAULT_BLOCK[key] !== undefined,
    );
  });
}

function differences(
  strict: JsonValue | undefined,
  written: JsonValue | undefined,
  path: KeyPath,
  isKnown: boolean,
): string[] {
  if (!isKnown || written === undefined) return [];
  if (isJsonObject(written) && isJsonObject(strict))
    return Object.keys(written).flatMap((key) =>
      differences(strict[key], written[key], [...path, key], true),
    );
  return toComparable(strict) === toComparable(written)
    ? []
    : [`${formatKeyPath(path)} is ${toShownJson(written)}`];
}

/** The order of a list of names says nothing. */
function toComparable(value: JsonValue | undefined): string {
  return JSON.stringify(Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value);
}

/** What no default has: who is let in, what is allowed, where texts are sent. */
function openings(settings: JsonObject): string[] {
  const { permissions, http, search, approval, privacy } = settings;
  const found = Object.keys(settings)
    .filter((key) => !JUDGED.has(key))
    .map((key) => `${toShown(key)} is set`);
  if (isJsonObject(permissions)) {
    const rules = Array.isArray(permissions["rules"]) ? permissions["rules"] : [];
    const allowing = rules.flatMap((rule, at) =>
      isJsonObject(rule) && rule["decision"] === "allow" ? [at + 1] : [],
    );
    if (allowing.length > 0)
      found.push(
        `calls are allowed by rule ${allowing.slice(0, 20).join(", ")}${allowing.length > 20 ? " …" : ""} of permissions`,
      );
    if (permissions["onChange"] === "allow")
      found.push("tools that changed stay allowed (permissions.onChange)");
  }
  if (isJsonObject(http) && isJsonObject(http["tokens"]))
    found.push(
      `others may use the gateway: ${Object.keys(http["tokens"]).slice(0, 20).map(toShown).join(", ")}`,
    );
  if (isJsonObject(approval) && approval["mode"] === "call")
    found.push("programs of high risk are not planned first (approval.mode)");
  const embeddings = isJsonObject(search) ? search["embeddings"] : undefined;
  if (isJsonObject(embeddings) && typeof embeddings["url"] === "string")
    found.push(`queries and tool descriptions are sent to ${toShownArgument(embeddings["url"])}`);
  if (isJsonObject(privacy)) found.push(...privacyOpenings(privacy));
  return found;
}

/** What it says of classes is compared with the defaults. */
function privacyOpenings({ mode, servers }: JsonObject): string[] {
  const found = mode === "egress" ? ["programs compute on personal values (privacy.mode)"] : [];
  for (const [name, server] of Object.entries(isJsonObject(servers) ? servers : {})) {
    const classes = isJsonObject(server) ? server["classes"] : undefined;
    const kept = Object.entries(isJsonObject(classes) ? classes : {}).filter(
      ([, action]) => action === "keep",
    );
    if (kept.length > 0)
      found.push(`${kept.map(([kind]) => toShown(kind)).join(", ")} of "${toShown(name)}" is not concealed`);
  }
  return found;
}
