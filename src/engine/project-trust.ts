import type { Catalog } from "../catalog/catalog.ts";
import type { LoadedConfig } from "../config/load.ts";
import { type LoadOptions, toHomePlaces, toPlaces } from "../config/places.ts";
import { acceptBrought } from "../config/trust/accept.ts";
import type { Accepted, Brought } from "../config/trust/brought.ts";
import { loadLedger, stampOfLedger } from "../config/trust/ledger.ts";
import { isPending } from "../config/trust/untrusted-notice.ts";
import { KeyholeError } from "../errors.ts";
import { createKeyholeCommand } from "../text/keyhole-command.ts";
import type { DiscoveredSkills } from "./skills/discovered-skills.ts";
import type { ProjectTrust } from "./trust.ts";

/** A server that is silent keeps nobody waiting for long. */
const patience = (slowestMs: number) => Math.max(3_000, 2 * slowestMs);

export function createProjectTrust(
  { brought, usersChannels }: Pick<LoadedConfig, "brought" | "usersChannels">,
  catalog: Catalog,
  discovered: Pick<DiscoveredSkills, "trust">,
  options: LoadOptions,
): ProjectTrust {
  const places = toPlaces(options);
  const command = createKeyholeCommand(places.projectDir)("trust");
  let waiting = brought.filter(isPending);
  let used = brought.filter(({ kind, state }) => kind !== "settings" && state === "trusted");
  const obeyed = brought.filter(
    ({ kind, state }) => kind === "settings" && (state === "trusted" || state === "changed"),
  );
  let looking: Promise<void> | undefined;
  /** Of what was read last. */
  let stamp: string | undefined;
  let revoked: Brought | undefined;
  /** Without them no server is started that was accepted with them, or after. */
  let hasNewSettings = false;

  async function lookNow(): Promise<void> {
    const found = await stampOfAll().catch(() => undefined);
    if (found === undefined || found === stamp) return assertObeyed();
    // What can't be read says nothing new; it is looked at again.
    const accepted = await loadAccepted().catch(() => undefined);
    if (accepted === undefined) return assertObeyed();
    await dropRevoked(accepted);
    revoked = obeyed.find((item) => accepted(item) === undefined);
    assertObeyed();
    await takeUp(accepted);
    stamp = found;
  }

  const isAnyOfHome = brought.some(({ isOfHome }) => isOfHome);

  async function stampOfAll(): Promise<string> {
    const ofProject = await stampOfLedger(places);
    return isAnyOfHome ? `${ofProject} ${await stampOfLedger(toHomePlaces(places))}` : ofProject;
  }

  async function loadAccepted(): Promise<AcceptedOf> {
    const ofProject = await loadLedger(places);
    const ofHome = isAnyOfHome ? await loadLedger(toHomePlaces(places)) : ofProject;
    return ({ id, isOfHome }) => (isOfHome ? ofHome : ofProject).get(id);
  }

  /** What was loosened by settings that nobody trusts any more can't be tightened while it runs. */
  function assertObeyed(): void {
    if (revoked !== undefined) throw noLongerObeyed(revoked, command);
  }

  async function dropRevoked(acceptedOf: AcceptedOf): Promise<void> {
    const gone = used.filter((item) => !isAccepted(item, acceptedOf));
    used = used.filter((item) => !gone.includes(item));
    waiting = [...waiting, ...gone.map((item) => ({ ...item, state: "new" as const }))];
    if (gone.some(isSkill)) tellSkills();
    await Promise.all(
      gone
        .filter((item) => !isSkill(item))
        .map((item) =>
          catalog.dismiss(item.name, noLongerTrusted(item, acceptedOf(item) !== undefined, command)),
        ),
    );
  }

  async function takeUp(acceptedOf: AcceptedOf): Promise<void> {
    const accepted = waiting.filter((item) => isAccepted(item, acceptedOf));
    const servers = accepted.filter(({ definition }) => definition !== undefined);
    const skills = accepted.filter(isSkill);
    waiting = waiting.filter((item) => !accepted.includes(item));
    hasNewSettings ||= accepted.length > servers.length + skills.length;
    // Those that start with the next Keyhole can be revoked before, too.
    used = [...used, ...servers, ...skills];
    if (skills.length > 0) tellSkills();
    if (hasNewSettings) {
      await Promise.all(servers.map(({ name }) => catalog.dismiss(name, fromNextStart(name))));
      return;
    }
    for (const { definition } of servers) if (definition !== undefined) catalog.admit(definition);
    if (servers.length > 0) await catalog.read({ only: servers.map(({ name }) => name), patience });
  }

  function tellSkills(): void {
    discovered.trust(new Set(used.filter(isSkill).map(({ id }) => id)));
  }

  return {
    mayElicit: usersChannels.includes("elicitation"),
    pending: () => waiting,
    async accept(ids) {
      const items = ids === undefined ? waiting : waiting.filter(({ id }) => ids.includes(id));
      await acceptBrought(items, options);
      return { needsRestart: items.some(({ kind }) => kind === "settings") };
    },
    async look() {
      if (brought.length === 0) return;
      looking ??= lookNow().finally(() => {
        looking = undefined;
      });
      await looking;
    },
  };
}

/** What was said yes to by its id, wherever that is written down. */
type AcceptedOf = (item: Brought) => Accepted | undefined;

function isAccepted(item: Brought, acceptedOf: AcceptedOf): boolean {
  return acceptedOf(item)?.digest === item.accepted?.digest;
}

function isSkill({ kind }: Brought): boolean {
  return kind === "skill";
}

function noLongerTrusted({ name, file }: Brought, isReplaced: boolean, command: string): KeyholeError {
  const message = isReplaced
    ? `Server "${name}" is trusted in another form than the one that was used: start Keyhole again`
    : `Server "${name}" is not trusted any more: a person has to run \`${command}\``;
  const hint = isReplaced ? `It is started as ${file} has it now` : `Look at what ${file} brings`;
  return new KeyholeError("untrusted", message, { server: name, hint });
}

function fromNextStart(name: string): KeyholeError {
  const message = `Server "${name}" is trusted, with settings that hold from the next start: start Keyhole again`;
  return new KeyholeError("untrusted", message, {
    server: name,
    hint: "In most clients: reconnect the MCP server, or start the client again",
  });
}

function noLongerObeyed({ name }: Brought, command: string): KeyholeError {
  const message = `Nothing is done: the settings (${name}) by which this Keyhole runs are not trusted any more`;
  return new KeyholeError("untrusted", message, {
    hint: `Start Keyhole again: it goes on without them, or with what \`${command}\` is said yes to`,
  });
}
