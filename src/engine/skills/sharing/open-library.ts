import { resolve } from "node:path";
import type { KeyholeConfig } from "../../../config/schema.ts";
import { expandVariables } from "../../../config/variables.ts";
import { KeyholeError } from "../../../errors.ts";
import { openFolderLibrary } from "../../../skills/team/folder-library.ts";
import { openPostgresLibrary } from "../../../skills/team/postgres-library.ts";
import type { TeamLibrary } from "../../../skills/team/team-library.ts";

/** The team's library, where the config names one. Nothing is reached before it is asked. A folder is seen from the project. */
export function openTeamLibrary(
  { library }: Pick<KeyholeConfig["skills"], "library">,
  { projectDir, env }: { readonly projectDir: string; readonly env: NodeJS.ProcessEnv },
): TeamLibrary | undefined {
  if (library === undefined) return undefined;
  if ("folder" in library)
    return openFolderLibrary(
      resolve(projectDir, expandVariables(library.folder, "skills.library.folder", env)),
      // As it is written: what its variables hold can be secret.
      library.folder,
    );
  const address = expandVariables(library.postgres, "skills.library.postgres", env);
  if (/^postgres(?:ql)?:\/\//.test(address) && URL.canParse(address)) return openPostgresLibrary(address);
  throw new KeyholeError(
    "config_invalid",
    '"skills.library.postgres" must be an address such as "postgres://user@host/database"',
    { hint: "Mend it in your own config, or the variable that it names" },
  );
}
