import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { KeyholeError } from "../../../errors.ts";
import { toExcerpt } from "../../../text/plain-text.ts";

/** Where a daemon listens. */
export type DaemonAddress =
  | { readonly kind: "socket"; readonly path: string }
  | {
      readonly kind: "tcp";
      readonly host: string;
      readonly port: number;
      /** Absent: without encryption, which only a tunnel or this machine is good enough for. */
      readonly tls?: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
    };

type Environment = { readonly [name: string]: string | undefined };

/**
 * Those to try, in this order: what was asked for, and else what is usual: Docker's own, the rootless ones, Podman's.
 * @param asked a path, or as in `DOCKER_HOST`
 */
export function daemonAddresses(asked?: string, env: Environment = process.env): DaemonAddress[] {
  const named = asked ?? env["DOCKER_HOST"];
  if (named !== undefined && named !== "") return [parseAddress(named, env)];
  const runtimeDir = env["XDG_RUNTIME_DIR"];
  const usual = [
    "/var/run/docker.sock",
    ...(runtimeDir ? [join(runtimeDir, "docker.sock")] : []),
    join(homedir(), ".docker/run/docker.sock"),
    ...(runtimeDir ? [join(runtimeDir, "podman/podman.sock")] : []),
    "/run/podman/podman.sock",
  ];
  return usual.filter(isSocket).map((path) => ({ kind: "socket", path }));
}

export function showAddress(address: DaemonAddress): string {
  return address.kind === "socket" ? address.path : `tcp://${address.host}:${address.port}`;
}

function parseAddress(text: string, env: Environment): DaemonAddress {
  if (text.startsWith("/")) return { kind: "socket", path: text };
  if (text.startsWith("unix://")) return { kind: "socket", path: text.slice("unix://".length) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["tcp:", "http:", "https:"].includes(url.protocol) || url.hostname === "")
    throw new KeyholeError("config_invalid", `"${toExcerpt(text)}" is no address of a Docker daemon`, {
      hint: "Set DOCKER_HOST, or docker.socket, to unix:///path or tcp://host:2376; over SSH, forward the socket",
    });
  const isSecure = url.protocol === "https:" || (env["DOCKER_TLS_VERIFY"] ?? "") !== "";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (isSecure ? 2376 : 2375);
  return { kind: "tcp", host, port, ...(isSecure ? { tls: readCertificates(env) } : {}) };
}

function readCertificates(env: Environment) {
  const dir = env["DOCKER_CERT_PATH"] || join(homedir(), ".docker");
  try {
    const [ca, cert, key] = ["ca.pem", "cert.pem", "key.pem"].map((name) => readFileSync(join(dir, name)));
    if (ca && cert && key) return { ca, cert, key };
  } catch {}
  throw new KeyholeError("config_invalid", `Cannot read the certificates for Docker in "${toExcerpt(dir)}"`, {
    hint: "Set DOCKER_CERT_PATH to the folder of ca.pem, cert.pem and key.pem",
  });
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false;
  }
}
