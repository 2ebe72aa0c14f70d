import type { Readable, Writable } from "node:stream";
import { KeyholeError } from "../../errors.ts";
import { nearestName } from "../../text/nearest-name.ts";
import type { InitOptions } from "../init.ts";
import { type Candidate, narrowTo, narrowToOwn } from "./find.ts";
import { describeStart } from "./secrets.ts";

/** What the flags choose; undefined when they choose nothing and someone must be asked. */
export function chooseByFlags(
  candidates: readonly Candidate[],
  options: InitOptions,
): Candidate[] | undefined {
  const { all = false, yes = false, server = [], from = [] } = options;
  const within = from.length === 0 ? [...candidates] : narrowTo(candidates, from);
  if (server.length === 0) {
    if (all || from.length > 0) return within;
    if (!yes) return undefined;
    // What the folder alone brings is written where there is nothing else, and is not trusted by that.
    const own = narrowToOwn(within);
    return own.length > 0 ? own : within;
  }
  return [...new Set(server)].map((name) => {
    const found = within.find((candidate) => candidate.name === name);
    if (found !== undefined) return found;
    const names = within.map((candidate) => candidate.name);
    const nearest = nearestName(name, names);
    throw new KeyholeError(
      "server_unknown",
      `Found no server "${name}"${from.length > 0 ? ` in ${from.join(", ")}` : ""}`,
      {
        hint: nearest === undefined ? `Found: ${names.join(", ") || "none"}` : `Did you mean "${nearest}"?`,
      },
    );
  });
}

/** Asks on a terminal. */
export async function chooseByPrompt(
  candidates: readonly Candidate[],
  streams: { input?: Readable; output?: Writable } = {},
): Promise<Candidate[]> {
  const { isCancel, multiselect } = await import("@clack/prompts");
  const answer = await multiselect({
    message: "Which servers go behind Keyhole?",
    options: candidates.map((candidate) => ({
      value: candidate.name,
      label: candidate.name,
      hint: `${candidate.place.client}: ${describeStart(candidate.server)}${candidate.isBrought ? " (this folder brings it)" : ""}`,
    })),
    // What the folder brings may come from anybody.
    initialValues: candidates
      .filter(({ server, isBrought }) => server.settings.enabled && !isBrought)
      .map(({ name }) => name),
    required: true,
    ...streams,
  });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was written");
  return candidates.filter(({ name }) => answer.includes(name));
}

/** Whether the skill is wanted too. */
export async function askForSkill(
  isLikely: boolean,
  streams: { input?: Readable; output?: Writable } = {},
): Promise<boolean> {
  const message = "Write a skill too, for clients with a shell of their own (.claude/skills)?";
  return confirmed(message, isLikely, streams);
}

export async function askToReplace(
  file: string,
  streams: { input?: Readable; output?: Writable } = {},
): Promise<boolean> {
  return confirmed(`Replace "${file}", which is not as Keyhole wrote it? A backup is kept`, false, streams);
}

/** Whether what was shown is to be written. */
export async function askToWrite(streams: { input?: Readable; output?: Writable } = {}): Promise<boolean> {
  return confirmed("Write this? A backup of each file is kept beside it", true, streams);
}

async function confirmed(
  message: string,
  initialValue: boolean,
  streams: { input?: Readable; output?: Writable },
): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue, ...streams });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was written");
  return answer;
}
