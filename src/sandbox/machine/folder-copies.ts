/** How folders get to a machine that does not see this host's files, and back. Of a process without a `put` nothing is kept. */
export type FolderCopies = {
  /** Fills an empty folder by its name, before the program runs. */
  put(folder: string, parts: AsyncIterable<CopyPart>): Promise<void>;
  /**
   * What lies there after the process was killed: every file and folder, each folder before what is in it. The host takes it
   * for hostile.
   */
  take(folder: string): AsyncIterable<CopyPart>;
  /** Called once after a `put`, when nothing of it is needed any more. */
  drop(): Promise<void>;
};

/** A file comes in pieces: `bytes` belong to the file before them. Paths are relative, with slashes. */
export type CopyPart =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** A file that is as it was put there: no bytes follow. */
  | { readonly kind: "same"; readonly path: string }
  /** What is there and can't be handed over: too deep, or too much. */
  | { readonly kind: "unread"; readonly path: string };
