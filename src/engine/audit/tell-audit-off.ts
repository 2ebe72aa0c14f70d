import { dirname } from "node:path";
import { openAudit } from "../../audit/open-audit.ts";
import { toAuditSettings } from "../../audit/settings.ts";
import { errorMessage } from "../../errors.ts";
import { type Project, userDir } from "../project.ts";
import { noteAuditOff } from "./known-changes.ts";
import { openKnownFile } from "./known-file.ts";

type OffProject = Pick<Project, "state" | "config" | "env" | "homeDir" | "isKept" | "isTrustedByOption">;

/**
 * The log's last word before it is silent, once until it is on again. Where the user never had one here, there is nothing to tell;
 * a folder that turns it off by itself is told of in any case. Never rejects.
 */
export async function tellAuditOff(project: OffProject, onNotice: (text: string) => void): Promise<void> {
  const { state, config, env, homeDir, isKept, isTrustedByOption } = project;
  const { auditOff, usersFile } = config;
  if (auditOff === undefined || !isKept) return;
  const { file, isProjects } = auditOff;
  if (isProjects && isTrustedByOption)
    onNotice(
      `${file}: "auditLogging" is false: this folder's config, which --trust believes, turns the audit log off`,
    );
  try {
    const settings = toAuditSettings(config.config, { env, usersFile });
    const ownDir = userDir({ homeDir, env });
    const known = openKnownFile({ projectDir: dirname(state.path), userDir: ownDir, store: settings.store });
    await noteAuditOff(known, { isNews: isProjects }, async () => {
      const log = openAudit({ state, userDir: ownDir, settings, env, onNotice });
      try {
        log.add({ action: "audit.off", outcome: "ok", details: { by: `"auditLogging" in ${file}` } });
        await log.commit();
      } finally {
        await log.close();
      }
    });
  } catch (error) {
    onNotice(`That the audit log is off could not be written to it: ${errorMessage(error)}`);
  }
}
