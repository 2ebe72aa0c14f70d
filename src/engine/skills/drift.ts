import type { Catalog } from "../../catalog/catalog.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { followAbort } from "../../mcp/on-abort.ts";
import { withTimeLimit } from "../../process/time-limit.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { Skill, SkillFindings, Skills, SkillTool } from "../../skills/skill.ts";
import { createToolOf } from "../policy/judge-program.ts";
import type { SkillCheck } from "./check-skill.ts";

export type DriftContext = {
  readonly catalog: Pick<Catalog, "entry" | "entries" | "isCurrent" | "bringUpToDate" | "onUpdate">;
  readonly store: Pick<Skills, "list" | "get" | "checked" | "onUpdate">;
  readonly check: SkillCheck;
};

/** Skills are held to the tools as they are now. */
export type Drift = {
  /** Before a program uses them: their servers are asked what they have, for a while, and what is other than it was is checked. */
  settle(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** Servers are asked what they have now; tells whether any has other tools than was known. */
  bringUpToDate(servers: readonly string[], signal?: AbortSignal): Promise<boolean>;
  /** Those that import it, after it was changed. */
  dependents(name: string): Promise<void>;
  /** What is being checked since a server told of other tools. */
  settled(): Promise<void>;
};

/** A server that says nothing keeps nobody waiting for longer. */
const PATIENCE_MS = 5_000;

export function createDrift({ catalog, store, check }: DriftContext): Drift {
  const toolOf = createToolOf(catalog);
  const checking = new Map<string, Promise<void>>();
  let looking: Promise<void> = Promise.resolve();
  let isDue = false;

  /** With what they import, which comes first. */
  function withImports(names: readonly string[]): Skill[] {
    const found = new Map<string, Skill>();
    const add = (name: string): void => {
      const skill = store.get(name);
      if (skill === undefined || found.has(skill.name)) return;
      // `skills` has those of its imports, too.
      for (const one of skill.skills) {
        const imported = store.get(one);
        if (imported && !found.has(imported.name)) found.set(imported.name, imported);
      }
      found.set(skill.name, skill);
    };
    for (const name of names) add(name);
    return [...found.values()];
  }

  async function bringUpToDate(servers: readonly string[], signal?: AbortSignal): Promise<boolean> {
    const stale = servers.filter((name) => isUsed(catalog.entry(name)) && !catalog.isCurrent(name));
    if (stale.length === 0) return false;
    const known = stale.map((name) => catalog.entry(name)?.record);
    await withTimeLimit(PATIENCE_MS, signal === undefined ? [] : [signal], (limit) => {
      const asked = stale.map((name) => catalog.bringUpToDate(name).catch(() => {}));
      const late = new Promise<void>((resolve) => followAbort(limit, resolve));
      return Promise.race([Promise.all(asked).then(() => {}), late]);
    });
    return stale.some((name, place) => catalog.entry(name)?.record !== known[place]);
  }

  /** Of a server that can't be asked nobody knows what changed. */
  function isKnown({ server }: SkillTool): boolean {
    return catalog.entry(server)?.status === "ready";
  }

  function isStale({ status, isChecked, tools, code }: Skill): boolean {
    if (status === "untrusted" || code === "") return false;
    if (!isChecked) return true;
    if (!tools.every(isKnown)) return false;
    return tools.some(({ server, tool, hash }) => (toolOf(server, tool)?.hash ?? "") !== hash);
  }

  function recheck(skill: Skill): Promise<void> {
    const key = keyOf(skill);
    const known = checking.get(key);
    if (known !== undefined) return known;
    const work = checkOne(skill).finally(() => checking.delete(key));
    checking.set(key, work);
    return work;
  }

  async function checkOne(skill: Skill): Promise<void> {
    const { name, hash, author = LOCAL_PRINCIPAL } = skill;
    const findings = await check(name, skill, author);
    await store.checked(name, hash, withOldTools(findings, skill));
  }

  /** What is gone is not seen in its text any more; when it comes back, the skill is looked at again. */
  function withOldTools(findings: SkillFindings, { tools, exports, skills }: Skill): SkillFindings {
    if (findings.problem === undefined) return findings;
    const missing = tools.filter(
      (old) => !findings.tools.some(({ server, tool }) => server === old.server && tool === old.tool),
    );
    const now = missing.map(({ server, tool }) => ({ server, tool, hash: toolOf(server, tool)?.hash ?? "" }));
    return {
      ...findings,
      exports: findings.exports.length > 0 ? findings.exports : exports,
      skills: findings.skills.length > 0 ? findings.skills : skills,
      tools: [...findings.tools, ...now],
    };
  }

  async function checkStale(skills: readonly Skill[]): Promise<void> {
    for (const { name } of skills) {
      // One that was checked before may have changed what is known of it.
      const skill = store.get(name);
      if (skill !== undefined && isStale(skill)) await recheck(skill);
    }
  }

  /** All that came in one turn at once. */
  function lookSoon(): void {
    if (isDue) return;
    isDue = true;
    looking = looking.then(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isDue = false;
      // What can't be checked now is before it is used.
      await checkStale(store.list().filter(({ isChecked }) => isChecked)).catch(() => {});
    });
  }

  catalog.onUpdate(lookSoon);

  return {
    bringUpToDate,
    async settle(names, signal) {
      const skills = withImports(names);
      if (skills.length === 0) return;
      const servers = new Set(skills.flatMap(({ tools }) => tools.map(({ server }) => server)));
      await bringUpToDate([...servers], signal);
      await checkStale(skills);
    },
    async dependents(name) {
      const due = [name];
      // Each changes at most from usable to broken or back, once for each that it imports: a circle ends here.
      for (let visits = store.list().length; due.length > 0 && visits >= 0; visits--) {
        const changed = due.shift() ?? "";
        for (const skill of store.list().filter((one) => dependsOn(one, changed))) {
          await checking.get(keyOf(skill));
          await recheck(skill);
          const wasBroken = skill.status === "broken";
          if ((store.get(skill.name)?.status === "broken") !== wasBroken) due.push(skill.name);
        }
      }
    },
    settled: () => looking,
  };
}

function keyOf({ name, hash }: Skill): string {
  return `${name} ${hash}`;
}

/** What an import means that led nowhere is known by its spelling alone. */
function dependsOn({ name, skills, code, status, isChecked, origin }: Skill, other: string): boolean {
  if (!isChecked || status === "untrusted" || name === other) return false;
  // What came from others and waits is checked with its yes: what it imports may wait as well.
  if (status === "quarantined" && origin !== "own") return false;
  return skills.includes(other) || (status === "broken" && letters(code).includes(letters(other)));
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function isUsed(entry: CatalogEntry | undefined): boolean {
  return entry !== undefined && entry.status !== "disabled";
}
