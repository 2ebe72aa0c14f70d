import { tellTrust } from "../engine/audit/trail-of-project.ts";
import { openProject, type Project } from "../engine/project.ts";
import type { CommandContext } from "./command.ts";
import { askToTrust, printBrought } from "./show-brought.ts";

/** Opens the project. On a terminal the user is asked for what the folder brings and nobody has trusted yet. */
export async function openTrusted(
  { output, projectDir, options }: CommandContext,
  { mayAsk = true }: { readonly mayAsk?: boolean } = {},
): Promise<Project> {
  const open = () => openProject({ dir: projectDir, trust: options["trust"] === true });
  const project = await open();
  const pending = project.trust.pending();
  if (!mayAsk || !output.interactive || pending.length === 0) return project;
  try {
    printBrought(pending, output);
    if (!(await askToTrust(pending.length))) return project;
    await tellTrust({ projectDir, onNotice: output.notice }, "trust.given", "terminal", async () => {
      await project.trust.accept();
      return pending;
    });
  } catch (error) {
    await project.close();
    throw error;
  }
  await project.close();
  // What was not shown is not trusted, should it have changed in this moment.
  return open();
}
