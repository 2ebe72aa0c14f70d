import { toExcerpt } from "../../../text/plain-text.ts";
import type { LoggedEvent } from "../../reader.ts";
import { createNamedTable } from "../count/named-table.ts";
import { createTally, tallyEvent, toTrace } from "../figure.ts";
import { formatCount } from "../format-figure.ts";
import type { ReportTable } from "../report-document.ts";
import type { CountingScope, SectionCounter } from "../section-counter.ts";

/** The last start or change before the period: what it names was in force when the period began. */
export type EventsBefore = readonly LoggedEvent[];

const MAX_VERSIONS = 40;
const MAX_SOURCES = 1_000;
type Kind = "policy" | "config";
type Version = {
  readonly version: string;
  /** By what the processes are configured that it holds for; others may go on beside them. */
  readonly source: string;
  readonly at: number;
  readonly event: string;
  readonly isBefore: boolean;
};

/** Which policy, config and sandbox were in force, and from when. */
export function createVersionsSection(
  { within, period }: CountingScope,
  { before }: { readonly before: EventsBefore },
): SectionCounter {
  const histories = { policy: createHistory(), config: createHistory() };
  const named = { policy: createTally(), config: createTally() };
  const sandboxed = createTally();
  const tiers = createNamedTable({
    title: "Sandbox tiers in which programs ran",
    column: "Tier",
    plural: "tiers",
    counted: "Programs",
    filterOf: (is) => within({ actions: ["run.ended"], where: [{ field: "details.tier", is }] }),
    empty: "No program ended.",
    from: ["run.ended"],
  });
  const releases = createNamedTable({
    title: "Versions of Keyhole and levels of security",
    column: "Version, level",
    plural: "versions",
    counted: "Starts",
    filterOf: (name) => {
      const [version = "", level = ""] = name.split(", ");
      const where = [
        { field: "details.version", is: version },
        { field: "details.level", is: level },
      ];
      return within({ actions: ["keyhole.started"], where });
    },
    empty: "Keyhole was not started in the period.",
  });

  const note = (event: LoggedEvent, isBefore: boolean) => {
    const start = event.action === "keyhole.started" ? event.details : undefined;
    const policy = event.action === "policy.changed" ? event.details?.policy : start?.policy;
    const config = event.action === "config.changed" ? event.details?.config : start?.config;
    for (const [kind, version] of [
      ["policy", policy],
      ["config", config],
    ] as const) {
      if (typeof version !== "string" || version === "") continue;
      if (!isBefore) tallyEvent(named[kind], event.id);
      histories[kind].add({
        version: toExcerpt(version, 80),
        source: toExcerpt(String((event.details as { source?: unknown }).source ?? ""), 80),
        at: isBefore ? period.from : event.at,
        event: event.id,
        isBefore,
      });
    }
    if (start && !isBefore)
      releases.add(
        `${toExcerpt(String(start.version ?? "unknown"), 30)}, ${toExcerpt(String(start.level ?? "unknown"), 30)}`,
        event.id,
      );
  };
  for (const event of [...before].sort((a, b) => a.at - b.at)) note(event, true);

  const toTable = (kind: Kind): ReportTable => {
    const { list, count } = histories[kind];
    const versions = list();
    const more = count() - versions.length;
    return {
      title: kind === "policy" ? "Policy versions in force" : "Configuration versions in force",
      columns: ["Version", "In force from (UTC)", "Until (UTC)", "Configured by", "Named by event"].map(
        (name) => ({ name, kind: "text" as const }),
      ),
      rows: versions.map(({ version, source, at, event, isBefore }, index) => {
        const next = versions.slice(index + 1).find((one) => one.source === source);
        const until = next === undefined ? (more > 0 ? "" : "the end of the period") : { at: next.at };
        const by = source === "" ? "not told" : { hash: source };
        return { cells: [{ hash: version }, isBefore ? "before the period" : { at }, until, by, { event }] };
      }),
      ...(more > 0 && { rest: `and ${formatCount(more)} more changes` }),
      empty: `No event names a ${kind === "policy" ? "policy" : "configuration"} version.`,
      from: ["keyhole.started", `${kind}.changed`],
    };
  };

  return {
    add(event) {
      if (event.action === "run.ended") {
        const tier = event.details?.tier;
        if (typeof tier !== "string") return;
        tallyEvent(sandboxed, event.id);
        tiers.add(tier, event.id);
      } else if (
        event.action === "keyhole.started" ||
        event.action === "policy.changed" ||
        event.action === "config.changed"
      )
        note(event, false);
    },
    finish() {
      const versionsOf = (kind: Kind) => ({
        value: histories[kind].distinct(),
        unit: "distinct" as const,
        events: toTrace(
          named[kind],
          within({
            actions: ["keyhole.started", `${kind}.changed`],
            where: [{ field: `details.${kind}` }],
          }),
        ),
      });
      return {
        figures: {
          policyVersions: versionsOf("policy"),
          configVersions: versionsOf("config"),
          sandboxed: {
            value: sandboxed.count,
            unit: "events",
            events: toTrace(
              sandboxed,
              within({ actions: ["run.ended"], where: [{ field: "details.tier" }] }),
            ),
          },
        },
        section: {
          id: "versions",
          title: "Versions in force",
          about:
            "From keyhole.started, policy.changed and config.changed. A version is the hash of what holds; the same hash is the same policy. Processes that are configured by something else (another folder, values of a program, trust by an option) have versions of their own at the same time. Tiers come from run.ended.",
          charts: [],
          tables: [toTable("policy"), toTable("config"), tiers.table(), releases.table()],
          notes: [],
        },
      };
    },
  };
}

/** Versions one after the other, for each that is configured by something else; several processes may name the same. */
function createHistory() {
  const versions: Version[] = [];
  const seen = new Set<string>();
  let count = 0;
  const last = new Map<string, string>();
  return {
    add(version: Version) {
      if (last.get(version.source) === version.version) return;
      if (last.size < MAX_SOURCES || last.has(version.source)) last.set(version.source, version.version);
      count++;
      if (seen.size < 10_000) seen.add(version.version);
      if (versions.length < MAX_VERSIONS) versions.push(version);
    },
    list: () => versions,
    count: () => count,
    distinct: () => seen.size,
  };
}
