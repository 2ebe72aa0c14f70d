import { KeyholeError } from "../errors.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { CommandContext, CommandHandler } from "./command.ts";

type Action = {
  readonly load: () => Promise<(context: CommandContext, subject: string) => Promise<number>>;
  /** What it needs beside its name. */
  readonly needs?: string;
};

const ACTIONS: { readonly [name: string]: Action } = {
  list: { load: async () => (await import("./skills/list.ts")).listSkills },
  show: { load: async () => (await import("./skills/show.ts")).showSkill, needs: "NAME" },
  save: { load: async () => (await import("./skills/save.ts")).saveSkillFile, needs: "NAME" },
  run: { load: async () => (await import("./skills/run-skill.ts")).runSkill, needs: "NAME" },
  test: { load: async () => (await import("./skills/run-skill.ts")).testSkill, needs: "NAME" },
  search: { load: async () => (await import("./skills/search.ts")).searchSkills, needs: "QUERY" },
  remove: { load: async () => (await import("./skills/change.ts")).removeSkill, needs: "NAME" },
  rollback: { load: async () => (await import("./skills/save.ts")).rollbackSkill, needs: "NAME" },
  export: { load: async () => (await import("./skills/export-pack.ts")).exportPack, needs: "NAMES" },
  import: { load: async () => (await import("./skills/import-pack.ts")).importPack, needs: "PATH" },
  publish: { load: async () => (await import("./skills/publish.ts")).publishToTeam, needs: "NAMES" },
  team: { load: async () => (await import("./skills/team.ts")).listTeam },
  key: { load: async () => (await import("./skills/key.ts")).showKey },
  approve: { load: async () => (await import("./skills/change.ts")).approveSkill, needs: "NAME" },
};

/** Programs that are kept to be used again. */
export const skills: CommandHandler = async (context) => {
  const [name = "list", ...rest] = context.args;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined)
    throw new KeyholeError("usage", `keyhole skills can't "${toExcerpt(name, 60)}"`, {
      hint: didYouMean(name, Object.keys(ACTIONS)) ?? `It can ${Object.keys(ACTIONS).join(", ")}`,
    });
  const { needs } = action;
  const isWhole =
    needs === "QUERY" || needs === "NAMES" ? rest.length > 0 : rest.length === (needs === undefined ? 0 : 1);
  if (!isWhole)
    throw new KeyholeError(
      "usage",
      `keyhole skills ${name} takes ${needs === undefined ? "nothing" : `one ${needs}`}`,
      {
        hint: `Write keyhole skills ${name}${needs === undefined ? "" : ` ${needs}`}`,
      },
    );
  const handle = await action.load();
  return handle(context, rest.join(" "));
};
