import type { GuestSpec } from "../../guest-spec.ts";

/** What the config says of containers. */
export type DockerSettings = {
  /** The daemon's, by a path or as in `DOCKER_HOST`; else what is usual. */
  readonly socket?: string | undefined;
  /** `runsc` is gVisor: a kernel of its own for each container. Else the daemon's own choice. */
  readonly runtime?: string | undefined;
  /** One that the user has made with our Dockerfile, by its digest or id; else that of `keyhole sandbox build docker`. */
  readonly image?: string | undefined;
  /** What runs programs in the image; else what we have. */
  readonly guests?: readonly GuestSpec[] | undefined;
};
