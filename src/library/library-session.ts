import { createHash } from "node:crypto";
import { createSession, type Session } from "../session.ts";

const MAX_NAME = 64;

/** The session of one `createKeyhole`. */
export function createLibrarySession(): Session {
  return createSession({ client: { name: "library" }, front: "library" });
}

/** A caller's own name for a session stands below that of its Keyhole: no name makes it somebody else's. */
export function sessionNamed(session: Session, name: string | undefined): Session {
  if (name === undefined) return session;
  const short = name.length <= MAX_NAME ? name : `sha256-${createHash("sha256").update(name).digest("hex")}`;
  return { ...session, id: `${session.id}/${short}` };
}
