import type { Catalog } from "../catalog/catalog.ts";
import type { LoadedConfig } from "../config/load.ts";
import { type LoadOptions, toPlaces } from "../config/places.ts";
import { acceptBrought } from "../config/trust/accept.ts";
import type { Brought } from "../config/trust/brought.ts";
import { loadLedger, stampOfLedger, type TrustLedger } from "../config/trust/ledger.ts";
import { isPending } from "../config/trust/untrusted-notice.ts";
import { KeyholeError } from "../errors.ts";
import { createKeyholeCommand } from "../text/keyhole-command.ts";
import type { ProjectTrust } from "./trust.ts";

/** A server that is silent keeps nobody waiting for long. */
const patience = (slowestMs: number) => Math.max(3_000, 2 * slowestMs);

export function createProjectTrust(
  { brought, usersChannels }: Pick<LoadedConfig, "brought" | "usersChannels">,
  catalog: Catalog,
  options: LoadOptions,
): ProjectTrust {
  const places = toPlaces(options);
  const command = createKeyholeCommand(places.projectDir)("trust");
  let waiting = brought.filter(isPending);
  let used = brought.filter(({ kind, state }) => kind === "server" && state === "trusted");
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
    const found = await stampOfLedger(places).catch(() => undefined);
    if (found === undefined || found === stamp) return assertObeyed();
    // What can't be read says nothing new; it is looked at again.
    const ledger = await loadLedger(places).catch(() => undefined);
    if (ledger === undefined) return assertObeyed();
    await dropRevoked(ledger);
    revoked = obeyed.find(({ id }) => !ledger.has(id));
    assertObeyed();
    await takeUp(ledger);
    stamp = found;
  }

  /** What was loosened by settings that nobody trusts any more can't be tightened while it runs. */
  function assertObeyed(): void {
    if (revoked !== undefined) throw noLongerObeyed(revoked, command);
  }

  async function dropRevoked(ledger: TrustLedger): Promise<void> {
    const gone = used.filter((item) => !isAccepted(item, ledger));
    used = used.filter((item) => !gone.includes(item));
    waiting = [...waiting, ...gone.map((item) => ({ ...item, state: "new" as const }))];
    await Promise.all(
      gone.map((item) => catalog.dismiss(item.name, noLongerTrusted(item, ledger.has(item.id), command))),
    );
  }

  async function takeUp(ledger: TrustLedger): Promise<void> {
    const accepted = waiting.filter((item) => isAccepted(item, ledger));
    const servers = accepted.filter(({ definition }) => definition !== undefined);
    waiting = waiting.filter((item) => !accepted.includes(item));
    hasNewSettings ||= accepted.length > servers.length;
    // Those that start with the next Keyhole can be revoked before, too.
    used = [...used, ...servers];
    if (hasNewSettings) {
      await Promise.all(servers.map(({ name }) => catalog.dismiss(name, fromNextStart(name))));
      return;
    }
    for (const { definition } of servers) if (definition !== undefined) catalog.admit(definition);
    if (servers.length > 0) await catalog.read({ only: servers.map(({ name }) => name), patience });
  }

  return {
    mayElicit: usersChannels.includes("elicitation"),
    pending: () => waiting,
    async accept(ids) {
      const items = ids === undefined ? waiting : waiting.filter(({ id }) => ids.includes(id));
      await acceptBrought(items, options);
      return { needsRestart: items.some(({ definition }) => definition === undefined) };
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

function isAccepted({ id, accepted }: Brought, ledger: TrustLedger): boolean {
  return ledger.get(id)?.digest === accepted?.digest;
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
