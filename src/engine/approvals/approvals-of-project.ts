import { homedir } from "node:os";
import { createCatalogStore } from "../../catalog/catalog-store.ts";
import { toServerNames } from "../../catalog/names.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import type { Approvals } from "../../policy/approvals/approvals.ts";
import { openDatabase } from "../../store/database/open-database.ts";
import { openToRead } from "../../store/database/read-database.ts";
import { openStateDir, type StateDir } from "../../store/state-dir.ts";
import { createApprovalTrail } from "../audit/approval-events.ts";
import { openTrail } from "../audit/open-trail.ts";
import { createShownApprovals, type TellShown } from "../audit/shown-approvals.ts";
import { userDir } from "../project.ts";
import type { FingerprintOf } from "./always-rule.ts";
import { createInputFit } from "./input-fit.ts";
import { openApprovals } from "./open-approvals.ts";
import { createFingerprints } from "./server-fingerprints.ts";

export {
  type Approval,
  type ApprovalAnswer,
  type ApprovalScope,
  SCOPES,
  scopesOf,
} from "../../policy/approvals/approval.ts";
export type { AskPerson, PersonsAnswer } from "../../policy/approvals/desk.ts";

export type ProjectApprovals = Pick<Approvals, "list" | "get" | "answer"> & {
  /** By which ways a person may answer here. */
  readonly channels: readonly string[];
  readonly fingerprintOf: FingerprintOf;
  /** Whoever runs the command is about to see what is in them. */
  readonly shown: TellShown;
};

/** The questions of a project, for a process that has no engine: no server is started. */
export async function withApprovals<T>(
  { projectDir, trust }: { readonly projectDir: string; readonly trust: boolean },
  onNotice: (text: string) => void,
  use: (approvals: ProjectApprovals) => Promise<T>,
): Promise<T> {
  const homeDir = homedir();
  const loaded = await loadConfig({ projectDir, trust });
  const { config } = loaded;
  const { channels } = config.approval;
  const state = await openStateDir(projectDir, userDir({ homeDir, env: process.env }));
  // Nothing is made where there is nothing, and one that is not ours is refused.
  const known = await openToRead(state);
  const fingerprintOf = createFingerprints(loaded, state);
  if (known === undefined) return use({ ...NONE, channels, fingerprintOf });
  await known.close();
  const place = { dir: projectDir, state, config: loaded, env: process.env, homeDir, isKept: true };
  const trail = openTrail(place, onNotice);
  const db = await openDatabase(state, onNotice);
  // Nothing is asked here, so nothing is posted, and its secret need not be here.
  const { webhook: _, ...approval } = config.approval;
  const { approvals } = openApprovals(
    { ...config, approval },
    {
      database: async () => db,
      state,
      projectDir,
      env: process.env,
      misfitOf: createInputFit(createStoredTools(loaded, state)),
      listener: trail && createApprovalTrail(trail),
      onNotice,
    },
  );
  try {
    const { list, get, answer } = approvals;
    const shown = trail ? createShownApprovals(trail) : async () => {};
    return await use({ list, get, answer, channels, fingerprintOf, shown });
  } finally {
    approvals.close();
    await db.close();
    await trail?.close();
  }
}

/** The tools as they were when their servers last answered. */
function createStoredTools({ servers, invalidServers }: LoadedConfig, state: StateDir) {
  const names = toServerNames([...servers, ...invalidServers].map(({ name }) => name));
  const store = createCatalogStore(state);
  return async (server: string, tool: string) => {
    const folder = names.get(server)?.folder;
    const stored = folder === undefined ? undefined : await store.load(folder);
    return stored?.reading?.tools.find(({ name }) => name === tool);
  };
}

const NONE = {
  list: async (): Promise<Approval[]> => [],
  get: async () => undefined,
  answer: async (): Promise<Approval> => {
    throw new Error("There is no approval here");
  },
  shown: async () => {},
};
