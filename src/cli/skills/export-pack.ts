import { LOCAL_PRINCIPAL } from "../../session.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { count } from "../format.ts";
import { toOutFile, writeOutFile } from "../out-file.ts";
import { withEngine } from "./with-engine.ts";

/** A signed pack of skills, with what they import: into a file as a whole, or to standard output. */
export function exportPack(context: CommandContext, names: string): Promise<number> {
  const { output, options } = context;
  const target = toOutFile(options["out"]);
  return withEngine(context, async ({ skills }) => {
    const by = { principal: LOCAL_PRINCIPAL };
    const asked = { versions: options["versions"] === true };
    const {
      text,
      skills: packed,
      key,
      fingerprint,
    } = await skills.sharing.export(names.split(" "), by, asked);
    if (target !== undefined) await writeOutFile(target, [text]);
    const told = packed.map(({ name, version, tools, skills: needed }) => ({
      name,
      version,
      tools,
      skills: needed,
    }));
    if (output.json)
      output.printJson({
        skills: told,
        key,
        fingerprint,
        ...(target === undefined ? { pack: text } : { out: target }),
      });
    else if (target === undefined) output.raw(text);
    else {
      output.print(
        `${count(packed.length, "skill")} written to "${toExcerpt(target, 200)}": ${packed.map(({ name }) => name).join(", ")}`,
      );
      output.note(`Signed by your key ${fingerprint}; keyhole skills key prints it for those who import`);
    }
    return 0;
  });
}
