import { KeyholeError } from "../errors.ts";
import { didYouMean } from "../text/did-you-mean.ts";

/** Who may use a named workspace: principals by name, `*` for all. Who writes reads. */
export type SharedGrant = { readonly read?: readonly string[]; readonly write?: readonly string[] };

export type SharedWorkspaces = {
  /** Those that a principal may at least read, by name. */
  of(principal: string): readonly { readonly name: string; readonly access: "read" | "write" }[];
  /** Fails where it may not. Of names that are not granted nothing is said. */
  assertMay(principal: string, name: string, access: "read" | "write"): void;
  readonly names: readonly string[];
};

export function createSharedWorkspaces(
  shared: Readonly<Record<string, SharedGrant | undefined>> = {},
): SharedWorkspaces {
  const grants = new Map(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));

  function accessOf(principal: string, name: string): "read" | "write" | undefined {
    const grant = grants.get(name);
    const isIn = (list: readonly string[] = []) => list.includes("*") || list.includes(principal);
    if (isIn(grant?.write)) return "write";
    return isIn(grant?.read) ? "read" : undefined;
  }

  const of: SharedWorkspaces["of"] = (principal) =>
    [...grants.keys()].flatMap((name) => {
      const access = accessOf(principal, name);
      return access === undefined ? [] : [{ name, access }];
    });

  return {
    names: [...grants.keys()],
    of,
    assertMay(principal, name, access) {
      const granted = accessOf(principal, name);
      if (granted === "write" || granted === access) return;
      const known = of(principal).map((one) => one.name);
      const shown = JSON.stringify(name.slice(0, 64));
      if (granted === "read")
        throw new KeyholeError("denied", `The shared workspace ${shown} is read-only here`);
      const meant = didYouMean(name, known) ?? (known.length > 0 ? `There is ${known.join(", ")}` : NONE);
      throw new KeyholeError("denied", `There is no shared workspace ${shown}. ${meant}`);
    },
  };
}

const NONE = "None is shared with this principal: workspace.shared of keyhole.config names them";
