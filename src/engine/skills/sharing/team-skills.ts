import { errorMessage, KeyholeError } from "../../../errors.ts";
import { followAbort } from "../../../mcp/on-abort.ts";
import { withTimeLimit } from "../../../process/time-limit.ts";
import { LOCAL_PRINCIPAL } from "../../../session.ts";
import type { PackSource } from "../../../skills/packs/read-source.ts";
import type { SkillFindings, Skills } from "../../../skills/skill.ts";
import { toFilesHash } from "../../../skills/skill-folder.ts";
import { readManual } from "../../../skills/skill-manual.ts";
import type { PublishedSkill, PublishedVersion, TeamLibrary } from "../../../skills/team/team-library.ts";
import type { StateDir } from "../../../store/state-dir.ts";
import { isRecord } from "../../../text/is-record.ts";
import type { SkillCheck } from "../check-skill.ts";
import { createLibraryReader } from "./library-reader.ts";
import { toSources } from "./review.ts";
import { findSigner, type Signer, toApprover } from "./signer.ts";

/** What the team's library has, for whoever looks. */
export type TeamSkill = PublishedVersion & {
  readonly description: string;
  readonly signer: Signer;
  /**
   * `used`: it is here. `waiting`: nobody whom the user trusts signed it. `own`: the project has one of its own of this name.
   * `removed`: a person removed it here. `refused`: it is not what it says.
   */
  readonly state: "used" | "waiting" | "own" | "removed" | "refused";
  readonly problem?: string;
};

export type TeamSkills = {
  /** Takes up what is new there; what was taken before stays where it can't be reached, which is thrown. */
  look(): Promise<readonly TeamSkill[]>;
  /** The same now and then, for whoever uses skills: nobody waits for long, and what fails is told. */
  freshen(signal?: AbortSignal): Promise<void>;
  /** No more is begun, and what is under way is waited for. */
  close(): Promise<void>;
  /** To be reviewed like a pack. */
  source(name: string): Promise<PackSource>;
};

export type TeamContext = {
  readonly library: TeamLibrary;
  readonly store: Skills;
  readonly check: SkillCheck;
  readonly state: Pick<StateDir, "readJson" | "writeJson">;
  readonly trustedKeys: Readonly<Record<string, string>>;
  readonly userDir: string;
  onNotice(text: string): void;
};

const STATE_FILE = "team-skills.json";
const EVERY_MS = 30_000;
const FIRST_MS = 3_000;
const CLOSE_MS = 2_000;
const BY = { principal: LOCAL_PRINCIPAL };
const NO_FINDINGS: SkillFindings = { exports: [], tools: [], skills: [] };

type Candidate = { readonly version: number; readonly found: PublishedSkill; readonly signer: Signer };

/** Skills of the team are taken by the keys that sign them: those of the user's own config, no others. */
export function createTeamSkills(context: TeamContext): TeamSkills {
  const { library, store, check, state, trustedKeys, userDir, onNotice } = context;
  const reader = createLibraryReader(library);
  let current: Promise<readonly TeamSkill[]> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let isClosed = false;
  let began: number | undefined;

  /** The latest that somebody signed whom the user trusts; else the latest that can be read; else what is wrong with the latest. */
  async function choose(
    name: string,
    versions: readonly PublishedVersion[],
  ): Promise<Candidate | TeamSkill | undefined> {
    let first: Candidate | undefined;
    let refused: TeamSkill | undefined;
    for await (const { version, found } of reader.read(versions, Object.values(trustedKeys))) {
      const isRefused = typeof found === "string";
      const signer = await findSigner(isRefused ? undefined : found.signature, trustedKeys, userDir);
      if (!isRefused && signer.kind === "trusted") return { version, found, signer };
      if (isRefused) refused ??= { name, version, description: "", signer, state: "refused", problem: found };
      else first ??= { version, found, signer };
    }
    return first ?? refused;
  }

  async function lookNow(): Promise<readonly TeamSkill[]> {
    const groups = toGroups(await library.list());
    await store.look([]);
    const taken = readTaken(await state.readJson(STATE_FILE), library.id);
    const before = JSON.stringify([...taken]);
    const told: TeamSkill[] = [];
    const fresh = new Map<string, Candidate>();
    for (const [name, versions] of groups) {
      if (isClosed) break;
      const candidate = await choose(name, versions);
      if (candidate === undefined) continue;
      if ("state" in candidate) told.push(candidate);
      else {
        const how = await judge(name, candidate, taken.get(name) ?? 0);
        told.push(describe(name, candidate, how));
        if (how === "fresh") fresh.set(name, candidate);
      }
    }
    const others = toSources([...fresh.values()].map(({ found }) => found.skill));
    for (const [name, candidate] of fresh) {
      if (isClosed) break;
      await take(name, candidate, others);
      taken.set(name, candidate.version);
    }
    if (JSON.stringify([...taken]) !== before)
      await state.writeJson(STATE_FILE, { library: library.id, versions: Object.fromEntries(taken) });
    return told;
  }

  async function judge(
    name: string,
    { version, found, signer }: Candidate,
    floor: number,
  ): Promise<TeamSkill["state"] | "fresh"> {
    const here = store.get(name);
    const isHere = here?.hash === toFilesHash(found.skill.files);
    if (here !== undefined && here.origin !== "team") return isHere ? "used" : "own";
    if (signer.kind !== "trusted") return "waiting";
    if (isHere && here.approvedBy !== undefined) return "used";
    if (here === undefined && (await store.versions(name)).length > 0) return "removed";
    // An earlier one than was had before: somebody took the later one away.
    return version < floor ? "used" : "fresh";
  }

  async function take(
    name: string,
    { found, signer }: Candidate,
    others: ReturnType<typeof toSources>,
  ): Promise<void> {
    const { files } = found.skill;
    const among = others.filter((one) => one.name !== name);
    const findings = await check(name, files, LOCAL_PRINCIPAL, among).catch((error: unknown) => {
      if (!(error instanceof KeyholeError)) throw error;
      return { ...NO_FINDINGS, problem: error.message };
    });
    await store.take({ name, files, origin: "team", findings, approvedBy: toApprover(signer) }, BY);
  }

  function look(): Promise<readonly TeamSkill[]> {
    current ??= lookNow().finally(() => {
      current = undefined;
      lookedAt = performance.now();
    });
    return current;
  }

  async function lookOrTell(): Promise<void> {
    try {
      await look();
      isAway = false;
    } catch (error) {
      if (!isAway && !isClosed) onNotice(`${errorMessage(error)}. What was taken from it before is used`);
      isAway = true;
    }
  }

  return {
    look,
    async freshen(signal) {
      if (isClosed || performance.now() - lookedAt < EVERY_MS) return;
      const looking = lookOrTell();
      if (lookedAt !== Number.NEGATIVE_INFINITY) return;
      // The first time what is there is needed; a large or a slow library is not waited for.
      began ??= performance.now();
      await settledWithin(began + FIRST_MS - performance.now(), looking, signal);
    },
    async close() {
      isClosed = true;
      if (current !== undefined) await settledWithin(CLOSE_MS, current);
    },
    async source(name) {
      const versions = (await library.list()).filter((one) => one.name === name);
      const candidate = await choose(name, versions);
      const nothing = { problems: [], remarks: [] };
      if (candidate !== undefined && "found" in candidate) {
        const { skill, signature } = candidate.found;
        return { kind: "pack", skills: [skill], ...(signature && { signature }), ...nothing };
      }
      const why = candidate?.problem === undefined ? "" : `: ${candidate.problem}`;
      throw new KeyholeError("usage", `There is no skill "${name}" in the team's library${why}`, {
        hint: "`keyhole skills team` lists those there are",
      });
    },
  };
}

/** Whether it has ended by then or not, and how. */
async function settledWithin(ms: number, work: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  const signals = signal === undefined ? [] : [signal];
  await withTimeLimit(ms, signals, (limit) => {
    const late = new Promise<void>((resolve) => followAbort(limit, resolve));
    return Promise.race([work, late]);
  }).catch(() => {});
}

function toGroups(published: readonly PublishedVersion[]): Map<string, PublishedVersion[]> {
  const groups = new Map<string, PublishedVersion[]>();
  for (const one of published) {
    const group = groups.get(one.name);
    if (group === undefined) groups.set(one.name, [one]);
    else group.push(one);
  }
  return groups;
}

function describe(
  name: string,
  { version, found, signer }: Candidate,
  how: TeamSkill["state"] | "fresh",
): TeamSkill {
  const read = readManual(found.skill.files.manual, name);
  const description = read.ok ? read.manual.description : "";
  return { name, version, description, signer, state: how === "fresh" ? "used" : how };
}

/** The numbers that were taken, by name; of another library they say nothing. */
function readTaken(value: unknown, id: string): Map<string, number> {
  if (!isRecord(value) || value["library"] !== id || !isRecord(value["versions"])) return new Map();
  return new Map(
    Object.entries(value["versions"]).flatMap(([name, version]): [string, number][] =>
      typeof version === "number" ? [[name, version]] : [],
    ),
  );
}
