// What users of the library compile against: nothing here may need the types of another package.

/** Workspaces by the names that people have for them, `local`, `ada`, `shared/notes`; times as in all that is shown. */
export type WorkspacesByName = {
  list(): Promise<readonly WorkspaceSummary[]>;
  /** What is in it, its files by name as many as are wanted (1,000), and its snapshots, the latest first. */
  show(name: string, options?: { readonly limit?: number | undefined }): Promise<WorkspaceContents>;
  /** A file of it, by the path that `show` tells. */
  read(name: string, path: string): Promise<Uint8Array>;
  /** A copy of all its files; what gave way to it is told. Waits a while for programs that run in it, and fails where one goes on. */
  snapshot(name: string, options?: { readonly note?: string | undefined }): Promise<TakenSnapshot>;
  /** Makes its files what they were. What they are now is kept as a snapshot before: `saved`. */
  restore(name: string, snapshot: string): Promise<{ readonly saved: TakenSnapshot }>;
  /** A snapshot of it; without one its files, its state and all its snapshots. */
  remove(name: string, snapshot?: string): Promise<void>;
};

export type WorkspaceSummary = {
  readonly name: string;
  /** As far as they are known: with each run, and by `show`. */
  readonly bytes?: number;
  /** Files and folders. */
  readonly entries?: number;
  readonly usedAt?: string;
  readonly expiresAt?: string;
  readonly state: { readonly keys: number; readonly bytes: number };
  readonly snapshots: number;
};

export type WorkspaceContents = Omit<WorkspaceSummary, "snapshots"> & {
  readonly dir: string;
  readonly quota: { readonly bytes: number; readonly entries: number };
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly modifiedAt: string }[];
  /** There are more files. */
  readonly isCut: boolean;
  readonly snapshots: readonly WorkspaceSnapshot[];
};

export type WorkspaceSnapshot = {
  readonly id: string;
  readonly at: string;
  readonly bytes: number;
  readonly entries: number;
  readonly note?: string;
};

export type TakenSnapshot = WorkspaceSnapshot & {
  /** Older ones that were removed to make room. */
  readonly removed: readonly string[];
};
