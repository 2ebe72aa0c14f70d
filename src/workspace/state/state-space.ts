/** Whose state: of a workspace by its name, of one session alone, or of a shared workspace. */
export type StateSpace = {
  readonly kind: (typeof STATE_KINDS)[number];
  /** Of the workspace, or the session's id. */
  readonly name: string;
};

const STATE_KINDS = ["workspace", "session", "shared"] as const;

/** As it stands in the database. */
export function toSpaceText({ kind, name }: StateSpace): string {
  return `${kind}:${name}`;
}

/** Nothing for what no space is called. */
export function parseSpaceText(text: string): StateSpace | undefined {
  const kind = STATE_KINDS.find((one) => text.startsWith(`${one}:`));
  return kind && { kind, name: text.slice(kind.length + 1) };
}
