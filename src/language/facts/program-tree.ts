/**
 * A program as far as its facts need it, the same for every language: names, members, calls, what is assigned to what, where
 * it loops and branches. Each language turns its own syntax tree into this one, and what looks at it is written once.
 */
export type Node =
  | NameNode
  | TextNode
  | NumberNode
  | MemberNode
  | CallNode
  | ListNode
  | TableNode
  | FunctionNode
  | AssignNode
  | LoopNode
  | BranchNode
  | BlockNode
  | EitherNode
  | SumNode
  | ImportNode
  | OtherNode;

/** `at` is the offset in the program. */
type At = { readonly at: number };

export type NameNode = At & { readonly kind: "name"; readonly name: string; readonly isEscaped?: true };

/** `isBuilt`: written so that it can't be read, by escapes of plain letters. `isWhole` false: only its beginning is known. */
export type TextNode = At & {
  readonly kind: "text";
  readonly text: string;
  readonly isBuilt: boolean;
};
export type NumberNode = At & { readonly kind: "number"; readonly value: number };

/** `a.b` has its key as a text, `a[b]` as a node. */
export type MemberNode = At & {
  readonly kind: "member";
  readonly object: Node;
  readonly key: string | Node;
  readonly isEscaped?: true;
};

export type CallNode = At & {
  readonly kind: "call";
  readonly callee: Node;
  readonly args: readonly Node[];
  /** By place, the names that arguments are given by; `**` is what has names of its own. */
  readonly names?: readonly (string | undefined)[];
  readonly isNew?: true;
};

/** A list, or as a target: what is taken out of one. `isSpread`: its items are those of its only one. */
export type ListNode = At & {
  readonly kind: "list";
  readonly items: readonly Node[];
  readonly isSpread?: true;
};
export type TableNode = At & { readonly kind: "table"; readonly entries: readonly TableEntry[] };
/** Without a key: all of another one. */
export type TableEntry = { readonly key: string | Node | undefined; readonly value: Node };

export type FunctionNode = At & {
  readonly kind: "function";
  /** Of a declaration: the name that it has where it stands. */
  readonly name?: NameNode;
  /** What is evaluated where the function stands, not in it: annotations. */
  readonly around?: readonly Node[];
  readonly params: readonly Node[];
  readonly body: readonly Node[];
};

/** Within a target it is a default. */
export type AssignNode = At & {
  readonly kind: "assign";
  readonly target: Node;
  readonly value: Node | undefined;
  /** `block` and `function` say where the names of the target live. */
  readonly declares?: "block" | "function";
};

export type LoopNode = At & {
  readonly kind: "loop";
  /** What each round is given, and of what. */
  readonly each?: AssignNode;
  readonly parts: readonly Node[];
};

/** `ways` is how many more ways there are through it. */
export type BranchNode = At & {
  readonly kind: "branch";
  readonly ways: number;
  readonly parts: readonly Node[];
};
/** A scope of its own. */
export type BlockNode = At & { readonly kind: "block"; readonly parts: readonly Node[] };
/** One of several values. */
export type EitherNode = At & {
  readonly kind: "either";
  readonly test?: Node;
  readonly options: readonly Node[];
};
/** Joined by `+`, or a text with values put in. */
export type SumNode = At & { readonly kind: "sum"; readonly parts: readonly Node[] };
export type ImportNode = At & {
  readonly kind: "import";
  readonly specifier: string;
  readonly entries: readonly ImportEntry[];
  /** All that there is: the entries are what of it is known. */
  readonly isStar?: true;
  /** The name of the skill that it is of. */
  readonly skill?: string;
};
/** Without `imported`: the whole. */
export type ImportEntry = { readonly imported: string | undefined; readonly local: string };
/** `isClass`: what a class declaration makes. */
export type OtherNode = At & {
  readonly kind: "other";
  readonly parts: readonly Node[];
  readonly isClass?: true;
};

export type ProgramTree = {
  readonly parts: readonly Node[];
  /** Where names are bound deeper than is looked at. */
  readonly cutAt: number | undefined;
};

/** Levels at a time. Deeper ones come afterwards: a tree must not take all of the stack of whoever walks it. */
export const MAX_TREE_DEPTH = 400;
