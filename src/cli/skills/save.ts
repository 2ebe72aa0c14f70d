import type { SavedSkill } from "../../engine/skills/saved-skill.ts";
import { KeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import type { Output } from "../output.ts";
import { readProgramFile, toProgramLanguage } from "../program-file.ts";
import { describeStatus } from "./describe.ts";
import { withEngine } from "./with-engine.ts";

const BY = { principal: LOCAL_PRINCIPAL };

/** From a file. What is not said stays as the version before had it. */
export async function saveSkillFile(context: CommandContext, name: string): Promise<number> {
  const { output, options } = context;
  const { file, description, tags, tests, lang } = options;
  if (typeof file !== "string")
    throw new KeyholeError("usage", "keyhole skills save needs the code", {
      hint: `Write keyhole skills save ${name} --file FILE --description TEXT`,
    });
  const code = await readProgramFile(file);
  if (code.trim() === "")
    throw new KeyholeError("usage", `There is no code in ${toExcerpt(file, 200)}`, {
      hint: `Write a function into it; for instructions alone write skills/${name}/SKILL.md without code beside it, then keyhole skills approve ${name}`,
    });
  const draft = {
    name,
    code,
    language: toProgramLanguage(lang, file) === "python" ? ("python" as const) : ("typescript" as const),
    ...(typeof description === "string" && { description }),
    ...(typeof tags === "string" && { tags: tags.split(",").map((tag) => tag.trim()) }),
    ...(typeof tests === "string" && { tests: await readProgramFile(tests) }),
  };
  return withEngine(context, async ({ skills }) => {
    await skills.store.look([name]);
    const known = skills.store.get(name)?.description;
    const saved = await skills.save({ ...draft, description: draft.description ?? known ?? "" }, BY);
    print(saved, "Saved", output);
    return 0;
  });
}

/** An earlier version is saved again; of one that was removed the last. */
export function rollbackSkill(context: CommandContext, name: string): Promise<number> {
  const { output, options } = context;
  const version = typeof options["version"] === "number" ? options["version"] : undefined;
  return withEngine(context, async ({ skills }) => {
    const restored = await skills.rollback(name, BY, version);
    print(restored, "Went back to", output);
    if (output.json) return 0;
    output.print(`${restored.name} is v${restored.version} now, the text of v${restored.restored}`);
    for (const { version: passed, problem } of restored.refused)
      output.note(
        `v${passed} was passed over, since the check refuses it (--version ${passed} tells why): ${toExcerpt(problem)}`,
      );
    return 0;
  });
}

function print(saved: SavedSkill, what: string, output: Output): void {
  if (output.json) {
    output.printJson(saved);
    return;
  }
  const { name, version, exports, use } = saved;
  output.print(`${what} ${output.style("bold", name)} v${version}  ${describeStatus(saved, output)}`);
  for (const { signature } of exports) output.print(`  ${signature}`);
  if (use !== "") output.print(`  ${output.style("dim", use)}`);
  if (saved.breaks !== undefined)
    output.note(
      `It breaks what imports it: ${saved.breaks.join(", ")} (keyhole skills show NAME tells why; keyhole skills rollback ${name} goes back)`,
    );
}
