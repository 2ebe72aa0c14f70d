import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type ConfigOptions, type LoadedConfig, loadConfig } from "../../config/load.ts";
import { type LoadOptions, type Places, toHomePlaces, toPlaces } from "../../config/places.ts";
import { type Brought, toBrought } from "../../config/trust/brought.ts";
import { bounded, type Shown } from "../../config/trust/describe-server.ts";
import { loadLedger, type TrustLedger } from "../../config/trust/ledger.ts";
import { toShown } from "../../config/trust/shown-text.ts";
import { untrustedNotice } from "../../config/trust/untrusted-notice.ts";
import { type DiscoveredSkill, type FoundSkills, findSkills } from "../../skills/discovered/find-skills.ts";
import { SKILLS_FOLDER } from "../../skills/skill-folder.ts";
import { UNSAFE } from "../../text/plain-text.ts";

/** Skills in the folders of other clients, and which of them the user has said yes to. */
export type DiscoveredSkills = {
  /** Those that are trusted now, by name. */
  list(): readonly DiscoveredSkill[];
  /** What lies there and can't be used, with the reason. */
  readonly problems: FoundSkills["problems"];
  readonly brought: readonly Brought[];
  /** Takes these, and no others, for trusted: ids of what was brought. */
  trust(ids: ReadonlySet<string>): void;
  onUpdate(listener: () => void): () => void;
};

/** Keyhole's own, that `keyhole init --skill` writes for another client: it tells of Keyhole what is known here. */
const OWN_NAME = "keyhole";

/** @param options with `trust`, all of them are trusted this time */
export async function discoverSkills(
  options: LoadOptions & { readonly trust?: boolean | undefined },
): Promise<DiscoveredSkills> {
  const places = toPlaces(options);
  const found = await findSkills(places);
  const skills = found.skills.filter(({ name }) => name !== OWN_NAME);
  const brought = options.trust === true ? [] : await judgeSkills(skills, places);
  const listeners = new Set<() => void>();
  let trusted = skills.filter((skill) => isTrusted(skill, brought));

  return {
    list: () => trusted,
    problems: [...found.problems, ...(await findClashes(skills, places.projectDir))],
    brought,
    trust(ids) {
      trusted = skills.filter((skill) => ids.has(toId(skill)));
      for (const listener of listeners) listener();
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The project's own are used instead. */
async function findClashes(
  skills: readonly DiscoveredSkill[],
  projectDir: string,
): Promise<FoundSkills["problems"]> {
  const looks = skills.map(async ({ name, place }) => {
    const own = await lstat(join(projectDir, SKILLS_FOLDER, name)).catch(() => undefined);
    const problem = `the project has a skill "${name}" of its own, which is used`;
    return own === undefined ? [] : [{ place, problem }];
  });
  return (await Promise.all(looks)).flat();
}

/** The configuration with what lies beside it for other clients: one list of all that is to be trusted. */
export function withDiscovered(
  loaded: LoadedConfig,
  { brought }: Pick<DiscoveredSkills, "brought">,
): LoadedConfig {
  const told = untrustedNotice(loaded.brought, loaded.projectDir);
  const all = [...loaded.brought, ...brought];
  return {
    ...loaded,
    brought: all,
    notices: [
      ...loaded.notices.filter((notice) => !told.includes(notice)),
      ...untrustedNotice(all, loaded.projectDir),
    ],
  };
}

/** For commands, which have no project open. */
export async function loadWithDiscovered(options: ConfigOptions): Promise<LoadedConfig> {
  return withDiscovered(await loadConfig(options), await discoverSkills(options));
}

/** Where nothing was read. */
export const NONE_DISCOVERED: DiscoveredSkills = {
  list: () => [],
  problems: [],
  brought: [],
  trust: () => {},
  onUpdate: () => () => {},
};

function toId({ place }: DiscoveredSkill): string {
  return `skill ${place}`;
}

function isTrusted(skill: DiscoveredSkill, brought: readonly Brought[]): boolean {
  const judged = brought.find(({ id }) => id === toId(skill));
  return judged === undefined || judged.state === "trusted";
}

async function judgeSkills(skills: readonly DiscoveredSkill[], places: Places): Promise<Brought[]> {
  if (skills.length === 0) return [];
  const isAnyOf = (isHome: boolean) => skills.some(({ isInHome }) => isInHome === isHome);
  const none: TrustLedger = new Map();
  const ofProject = isAnyOf(false) ? await loadLedger(places) : none;
  const ofHome = isAnyOf(true) ? await loadLedger(toHomePlaces(places)) : none;
  return skills.map((skill) => {
    const { name, place, hash, isInHome } = skill;
    const id = toId(skill);
    const described = describeSkillFolder(skill);
    const found = { id, kind: "skill" as const, name, file: place, digest: hash, described };
    return toBrought(
      { ...found, ...(isInHome && { isOfHome: true }) },
      (isInHome ? ofHome : ofProject).get(id),
    );
  });
}

/** What models would read and programs run, file by file. */
function describeSkillFolder({ manual, program, files, remarks }: DiscoveredSkill): Shown {
  const texts = [manual.description, manual.body, program?.code ?? ""];
  const isHiding = texts.some((text) => text.search(UNSAFE) !== -1);
  return {
    lines: bounded([
      `description: ${toShown(manual.description)}`,
      ...files.map(
        ({ path, bytes, hash }) => `file ${toShown(path)}: ${bytes} bytes, sha256 ${hash.slice(0, 16)}`,
      ),
    ]),
    remarks: [
      "its instructions are shown to models that search for what it does",
      ...(program === undefined
        ? []
        : [`programs can import its code (${program.language}), which does what they may do`]),
      ...(isHiding ? ["has characters in it that nobody sees"] : []),
      ...remarks.map((remark) => toShown(remark)),
    ],
  };
}
