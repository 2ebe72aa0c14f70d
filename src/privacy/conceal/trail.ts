import { KeyholeError } from "../../errors.ts";

/** A list or object on the way to a place. */
export type TrailLevel = {
  node: object;
  /** Under which it stands in the one before. */
  readonly step: string | number;
};

/** A value that is changed in copies: what is not on the way to a change stays the caller's. */
export type Copies = {
  /** A list of the value alone, so that the value itself can be changed as its parts are. */
  readonly holder: unknown[];
  /** The last of the levels, to be changed; it and those above it are copied where they were not. */
  own(levels: readonly TrailLevel[]): object;
};

export function createCopies(value: unknown): Copies {
  const holder = [value];
  const owned = new Set<object>([holder]);
  return {
    holder,
    own(levels) {
      let at = levels.length;
      while (at > 1 && !owned.has(levels[at - 1]?.node ?? holder)) at--;
      let above: object = levels[at - 1]?.node ?? holder;
      for (const level of levels.slice(at)) {
        const copy = Array.isArray(level.node) ? level.node.slice() : { ...level.node };
        owned.add(copy);
        Reflect.set(above, level.step, copy);
        level.node = copy;
        above = copy;
      }
      return above;
    },
  };
}

/** Goes from place to place of a value, by JSON Pointers; those near each other cost little. */
export type Trail = {
  /** The levels down to the one that the place is in, and the step from there. */
  goTo(path: string): { readonly levels: readonly TrailLevel[]; readonly step: string };
};

export function createTrail(holder: readonly unknown[]): Trail {
  const levels: (TrailLevel & { readonly end: number })[] = [{ node: holder, step: "", end: -1 }];
  let last = "";
  return {
    goTo(path) {
      const shared = countShared(last, path);
      while (levels.length > 1 && (levels.at(-1)?.end ?? 0) >= shared) levels.pop();
      last = path;
      if (path === "") return { levels, step: "0" };
      if (levels.length === 1) levels.push({ node: toContainer(holder[0]), step: 0, end: 0 });
      let from = (levels.at(-1)?.end ?? 0) + 1;
      for (let end = path.indexOf("/", from); end !== -1; end = path.indexOf("/", from)) {
        const step = toStep(path.slice(from, end));
        const inside = readMember(levels.at(-1)?.node ?? {}, step);
        levels.push({ node: toContainer(inside), step, end });
        from = end + 1;
      }
      return { levels, step: toStep(path.slice(from)) };
    },
  };
}

export function readMember(node: object, step: string): unknown {
  return Object.hasOwn(node, step) ? Reflect.get(node, step) : undefined;
}

function toContainer(value: unknown): object {
  if (typeof value === "object" && value !== null) return value;
  throw leadsNowhere();
}

/** What was found and is not there could be elsewhere, and be told: nothing is. */
export function leadsNowhere(): KeyholeError {
  return new KeyholeError("internal", "Cannot conceal personal data: it is not where it was found");
}

function countShared(first: string, second: string): number {
  const most = Math.min(first.length, second.length);
  let at = 0;
  while (at < most && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return at;
}

function toStep(written: string): string {
  return written.includes("~") ? written.replaceAll("~1", "/").replaceAll("~0", "~") : written;
}
