import type { StateDir } from "../store/state-dir.ts";

/** Of how a server is reached, by this user and in this project: the same words in another project are another server. */
export function fingerprintServer(
  state: Pick<StateDir, "fingerprint">,
  { transport }: { readonly transport: object },
): string {
  return state.fingerprint(JSON.stringify(transport));
}
