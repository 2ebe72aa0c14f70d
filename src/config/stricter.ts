import { intersectHosts } from "../network/intersect-hosts.ts";
import { withUsersAction } from "./audit/anomaly-actions.ts";
import { combineRetention } from "./audit/retention.ts";
import { ANOMALY_ACTIONS, AUDIT_CONTENTS } from "./audit/schema.ts";
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import { SECURITY_LEVELS } from "./permissions/schema.ts";
import { PII_ACTIONS } from "./privacy/actions.ts";
import { PRIVACY_MODES } from "./privacy/privacy-defaults.ts";
import { parseBytes, parseCores } from "./size.ts";
import { SKILL_APPROVALS } from "./skills-schema.ts";

/** What holds where the user's own config and the project's both speak; both are valid by themselves. */
type Combine = (user: JsonValue, project: JsonValue) => JsonValue;

const eitherTrue: Combine = (user, project) => user === true || project === true;
const eitherFalse: Combine = (user, project) => user === true && project === true;
const usersOwn: Combine = (user) => user;
const projects: Combine = (_user, project) => project;
const lastOf =
  (order: readonly JsonValue[]): Combine =>
  (user, project) =>
    order.indexOf(user) > order.indexOf(project) ? user : project;
const smaller =
  (toNumber: (value: string | number) => number | undefined = Number): Combine =>
  (user, project) =>
    measure(user, toNumber) < measure(project, toNumber) ? user : project;
const inEither: Combine = (user, project) => [
  ...(Array.isArray(user) ? user : []),
  ...(Array.isArray(project) ? project : []),
];
const inBoth: Combine = (user, project) =>
  Array.isArray(user) && Array.isArray(project) ? user.filter((one) => project.includes(one)) : user;
const hostsInBoth: Combine = (user, project) => intersectHosts(texts(user), texts(project));
const eachKey =
  (table: Readonly<Record<string, Combine>>, otherwise: Combine): Combine =>
  (user, project) => {
    if (!isJsonObject(user)) return project;
    return isJsonObject(project) ? combine(user, project, table, otherwise) : user;
  };

/** `*` stands for all of them. */
const namesInBoth: Combine = (user, project) => {
  const isIn = (names: JsonValue, name: string) => texts(names).some((one) => one === "*" || one === name);
  const both = [...texts(user), ...texts(project)].filter((name) => isIn(user, name) && isIn(project, name));
  return [...new Set(both)];
};
const quota = eachKey({ bytes: smaller(parseBytes), files: smaller() }, usersOwn);

const anomalyKeys = eachKey(
  {
    enabled: eitherTrue,
    action: lastOf(ANOMALY_ACTIONS),
    rules: eachKey({}, lastOf(["off", ...ANOMALY_ACTIONS])),
  },
  usersOwn,
);
const anomalies: Combine = (user, project) => anomalyKeys(user, withUsersAction(project, user));

/** The one table. `permissions` are not here: each file's rules are asked for each call, and the stricter answer holds. */
const STRICTER: Readonly<Record<string, Combine>> = {
  enabled: eitherFalse,
  // `auto` is the process or more, as the risk suggests: a project can't have it out of account.
  sandboxMode: lastOf(["process", "auto", "docker", "vm"]),
  docker: eachKey({ runtime: lastOf(["runc", "runsc"]) }, usersOwn),
  securityLevel: lastOf(SECURITY_LEVELS),
  maxExecutionTime: smaller(),
  maxSleepTime: smaller(),
  maxConcurrentTasks: smaller(),
  piiTokenization: eitherTrue,
  auditLogging: eitherTrue,
  typeCheck: eitherTrue,
  learnTypes: eitherFalse,
  poolSize: projects,
  resourceLimits: eachKey(
    { memory: smaller(parseBytes), cpu: smaller(parseCores), disk: smaller(parseBytes) },
    usersOwn,
  ),
  // A rule that allows "github" means the user's own.
  servers: eachKey({}, usersOwn),
  approval: eachKey(
    {
      onExpiry: lastOf(["approve", "deny"]),
      holdMs: smaller(),
      expiresMs: smaller(),
      channels: inBoth,
      // What is planned is shown whole, also what no rule asks for.
      mode: lastOf(["call", "plan"]),
    },
    usersOwn,
  ),
  network: eachKey(
    { allow: hostsInBoth, deny: inEither, maxBytes: smaller(parseBytes), perMinute: smaller() },
    usersOwn,
  ),
  // What it says of servers is asked of each file, as `permissions` are.
  privacy: eachKey(
    { mode: lastOf(PRIVACY_MODES), classes: eachKey({}, lastOf(PII_ACTIONS)), helpers: eitherFalse },
    usersOwn,
  ),
  output: eachKey({}, projects),
  // The user's rules stand before the project's: the first that fits is the one that counts.
  cache: eachKey({ enabled: eitherFalse, maxSize: smaller(parseBytes), rules: inEither }, usersOwn),
  clean: eachKey({ enabled: eitherTrue, maxSize: smaller(parseBytes) }, usersOwn),
  journal: eachKey({ enabled: eitherTrue, onFailure: lastOf(["continue", "stop"]) }, usersOwn),
  audit: eachKey(
    {
      onFailure: lastOf(["continue", "stop"]),
      encrypt: eitherTrue,
      // The project may ask for more of it to be kept, for longer; where that goes is the user's alone.
      contents: lastOf(AUDIT_CONTENTS),
      retention: combineRetention,
      anomalies,
    },
    usersOwn,
  ),
  skills: eachKey({ approval: lastOf(SKILL_APPROVALS), maxVersions: smaller() }, usersOwn),
  http: eachKey({ open: eitherFalse }, usersOwn),
  // Who may use a shared workspace must be named by both, where both name it.
  workspace: eachKey(
    {
      quota,
      snapshots: eachKey({ keep: smaller(), bytes: smaller(parseBytes) }, usersOwn),
      shared: eachKey({}, eachKey({ read: namesInBoth, write: namesInBoth, quota }, usersOwn)),
    },
    usersOwn,
  ),
};

export function combineStricter(user: JsonObject, project: JsonObject): JsonObject {
  return combine(user, project, STRICTER, usersOwn);
}

function combine(
  user: JsonObject,
  project: JsonObject,
  table: Readonly<Record<string, Combine>>,
  otherwise: Combine,
): JsonObject {
  const result = createJsonObject();
  for (const key of new Set([...Object.keys(user), ...Object.keys(project)])) {
    const [mine, theirs] = [user[key], project[key]];
    // An empty section says nothing.
    if (mine === undefined || mine === null) result[key] = theirs ?? null;
    else if (theirs === undefined || theirs === null) result[key] = mine;
    else result[key] = (Object.hasOwn(table, key) ? (table[key] ?? otherwise) : otherwise)(mine, theirs);
  }
  return result;
}

function texts(value: JsonValue): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function measure(value: JsonValue, toNumber: (value: string | number) => number | undefined): number {
  const known = typeof value === "string" || typeof value === "number" ? toNumber(value) : undefined;
  return known ?? Number.POSITIVE_INFINITY;
}
