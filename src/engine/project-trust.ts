import type { Catalog } from "../catalog/catalog.ts";
import type { LoadOptions } from "../config/places.ts";
import { acceptBrought, acceptedMeanwhile } from "../config/trust/accept.ts";
import type { Brought } from "../config/trust/brought.ts";
import { isPending } from "../config/trust/untrusted-notice.ts";
import type { ProjectTrust } from "./trust.ts";

/** A server that is silent keeps nobody waiting for long. */
const patience = (slowestMs: number) => Math.max(3_000, 2 * slowestMs);

export function createProjectTrust(
  brought: readonly Brought[],
  catalog: Catalog,
  options: LoadOptions,
): ProjectTrust {
  let waiting = brought.filter(isPending);
  let looking: Promise<void> | undefined;

  async function takeUp(): Promise<void> {
    // What can't be read is not trusted.
    const accepted = await acceptedMeanwhile(waiting, options).catch(() => []);
    if (accepted.length === 0 || accepted.some(({ kind }) => kind === "settings")) return;
    const servers = accepted.flatMap(({ definition }) => definition ?? []);
    waiting = waiting.filter(({ definition }) => definition === undefined || !servers.includes(definition));
    for (const server of servers) catalog.admit(server);
    await catalog.read({ only: servers.map(({ name }) => name), patience });
  }

  return {
    pending: () => waiting,
    async accept(ids) {
      const items = ids === undefined ? waiting : waiting.filter(({ id }) => ids.includes(id));
      await acceptBrought(items, options);
      return {
        needsRestart: items.some((item) => item.kind === "settings" || item.definition === undefined),
      };
    },
    async look() {
      if (waiting.length === 0) return;
      looking ??= takeUp().finally(() => {
        looking = undefined;
      });
      await looking;
    },
  };
}
