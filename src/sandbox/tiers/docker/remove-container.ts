import { setTimeout as wait } from "node:timers/promises";
import type { DockerApi } from "./docker-api.ts";

const TRIES = 5;
const BETWEEN_MS = 100;
const NOT_FOUND = 404;
const UNDER_WAY = 409;

/** Ends it and removes it. What can't be removed now is at the next start. Never rejects. */
export async function removeContainer(api: DockerApi, id: string): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const answer = await api.ask("DELETE", `/containers/${id}?force=1&v=1`).catch(() => undefined);
    // Podman answers 500 to this just after a container's end.
    if (answer && (answer.status < 300 || answer.status === NOT_FOUND || answer.status === UNDER_WAY)) return;
    if (tries < TRIES) await wait(tries * BETWEEN_MS);
  }
}
