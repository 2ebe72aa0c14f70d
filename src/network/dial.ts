import { connect, type Socket } from "node:net";
import { EgressError } from "./egress-error.ts";
import type { WebTarget } from "./rules.ts";

const CONNECT_MS = 10_000;
const MAX_TRIED = 4;

/** Connects to the first of these addresses that answers. They are addresses, so nothing is looked up any more. */
export async function dial(
  { host, port }: WebTarget,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  const tried = addresses.slice(0, MAX_TRIED);
  let why = "";
  for (const address of tried) {
    const socket = connect({ host: address, port, noDelay: true, allowHalfOpen: true });
    try {
      await connected(socket, CONNECT_MS / tried.length, signal);
      return socket;
    } catch (error) {
      socket.destroy();
      why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      if (signal.aborted) break;
    }
  }
  throw new EgressError("unreachable", `"${host.name}" does not answer on port ${port}${why}`);
}

function connected(socket: Socket, withinMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("It took too long"));
    const timer = setTimeout(stop, withinMs);
    signal.addEventListener("abort", stop, { once: true });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    socket.once("connect", () => {
      end();
      resolve();
    });
    // It stays: an error later must have a listener.
    socket.on("error", (error) => {
      end();
      reject(error);
    });
  });
}
