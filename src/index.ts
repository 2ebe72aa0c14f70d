export type { ShownApproval as ApprovalRequest } from "./engine/approvals/shown-approval.ts";
export type { RunEvent } from "./engine/events/event.ts";
export type { Stats } from "./engine/journal/stats.ts";
export type {
  DoneRun,
  FailedRun,
  FinishedRun as RunResult,
  RunCall,
  RunLimits,
} from "./engine/run-result.ts";
export type { SavedSkill } from "./engine/skills/saved-skill.ts";
export type {
  TakenSnapshot,
  WorkspaceContents,
  WorkspaceSnapshot,
  WorkspaceSummary,
  WorkspacesByName as Workspaces,
} from "./engine/workspaces/workspaces-by-name.ts";
export { type ErrorCode, KeyholeError } from "./errors.ts";
export { createKeyhole } from "./library/create-keyhole.ts";
export type {
  ApprovalSettings,
  CallRule,
  Keyhole,
  KeyholeOptions,
  KeyholeStats,
  NewSkill,
  OwnerAnswer,
  PermissionSettings,
  RunOptions,
  SearchOptions,
  ServerConfig,
  ServerState,
  SkillOptions,
  Task,
  Tool,
} from "./library/keyhole.ts";
export { localToken } from "./library/local-token.ts";
export type { PrivacyConfig } from "./library/privacy-options.ts";
export type {
  ExportedPack,
  ImportChoice,
  ImportedAs,
  ReviewedSkill,
  SkillImportReview,
} from "./library/shared-skills.ts";
export type { Receipt } from "./result/receipt.ts";
export type { RunFailure } from "./run-failure.ts";
export type {
  FoundServer,
  FoundSkill,
  FoundTool,
  SearchAnswer,
  ServersAnswer,
  ToolsAnswer,
} from "./search/answer.ts";
