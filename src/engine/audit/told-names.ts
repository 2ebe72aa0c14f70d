import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { ClientInfo, Session } from "../../session.ts";

/** What stands for a name that does not look like one. */
const UNNAMED = "unnamed";

/** Of a program, a model, a package: a word or a few, without what makes an address. */
const NAME = /^@?[\p{L}\p{N}][\p{L}\p{N} ._:/+(),'-]{0,99}$/u;
/** A key rather than a word. */
const KEY = /(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}/;
const VERSION = /^(?:[a-z]{1,12}|v?\d{1,8}(?:(?:\.\d{1,8}){1,3}(?:[-+][A-Za-z0-9.+-]{1,30})?)?)$/;

type Masking = Pick<WorkspacePrivacy, "mask">;

/** A name that a client tells: it can tell anything, and what it tells is kept for good. */
export function toToldName(name: string, privacy?: Masking): string {
  const line = name.trim();
  if (!NAME.test(line) || KEY.test(line)) return UNNAMED;
  return privacy === undefined ? line : privacy.mask(line).text;
}

function toToldClient({ name, version }: ClientInfo, privacy?: Masking): ClientInfo {
  const isVersion = version !== undefined && VERSION.test(version) && !KEY.test(version);
  return { name: toToldName(name, privacy), ...(isVersion && { version }) };
}

/** Sessions as they are told of. Each client is looked at once, and once more when there is a vault that may know its name. */
export function createToldSessions(): <One extends Pick<Session, "client">>(
  session: One,
  privacy?: Masking,
) => One {
  const known = new WeakMap<ClientInfo, { readonly told: ClientInfo; readonly isMasked: boolean }>();
  return (session, privacy) => {
    const { client } = session;
    let found = known.get(client);
    if (found === undefined || (privacy !== undefined && !found.isMasked)) {
      found = { told: toToldClient(client, privacy), isMasked: privacy !== undefined };
      known.set(client, found);
    }
    return { ...session, client: found.told };
  };
}
