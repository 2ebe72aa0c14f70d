import { createHash } from "node:crypto";
import { join } from "node:path";
import { toStoreName } from "../store/postgres/store-name.ts";

/** Which log is meant. It can be handed to a thread as it is. */
export type LogPlace = {
  /** The project's real path. */
  readonly projectDir: string;
  /** The user's own folder, in which the keys are: no project brings it along. */
  readonly userDir: string;
  /** `sqlite`, or the address of a PostgreSQL database, with everything that is needed to reach it. */
  readonly store: string;
};

/** The same for every process that writes to this log, also when the password of its database has changed. */
export function toLogId({ projectDir, store }: Pick<LogPlace, "projectDir" | "store">): string {
  return createHash("sha256")
    .update(`${projectDir}\0${toStoreName(store)}`)
    .digest("hex")
    .slice(0, 32);
}

/** What the user's folder has of this log: `spool/`, `head.json`. */
export function toLogFolder(place: LogPlace): string {
  return join(place.userDir, "audit", toLogId(place));
}
