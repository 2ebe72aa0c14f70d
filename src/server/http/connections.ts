import type { Server } from "node:http";
import type { Socket } from "node:net";

export type Connections = {
  /** A request with a token is under way on this connection; returns what to call when it is over. */
  begin(socket: Socket): () => void;
  close(): void;
};

export type ConnectionsOptions = {
  readonly max: number;
  /** Of those without a token, from one address. */
  readonly maxStrangersPerAddress: number;
  readonly stalledMs: number;
};

type Connection = {
  readonly socket: Socket;
  readonly address: string;
  /** With a token, and not answered yet. */
  requests: number;
  /** Bytes that the other side has taken, and since when it has taken no more although there are. */
  takenBytes: number;
  stalledSince: number | undefined;
};

const SWEEP_EVERY_MS = 5_000;
/** Connections are taken in one go, and their first requests come and are read after that: a client may have hundreds. */
const SHOW_TOKEN_MS = 2_000;

/**
 * Keeps the table of connections open for those who have a token: whoever has shown none gives way, the oldest first, and
 * then who has nothing under way. A connection whose other side reads nothing is ended: what it does not read is kept in memory.
 */
export function createConnections(
  http: Server,
  { max, maxStrangersPerAddress, stalledMs }: ConnectionsOptions,
): Connections {
  /** Oldest first. */
  const strangers = new Set<Connection>();
  const known = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  const strangersAt = new Map<string, number>();

  function countStranger(address: string, by: number): number {
    const count = (strangersAt.get(address) ?? 0) + by;
    if (count > 0) strangersAt.set(address, count);
    else strangersAt.delete(address);
    return count;
  }

  function drop(connection: Connection | undefined): boolean {
    if (connection === undefined) return false;
    forget(connection);
    connection.socket.destroy();
    return true;
  }

  function forget(connection: Connection): void {
    known.delete(connection);
    if (strangers.delete(connection)) countStranger(connection.address, -1);
  }

  function dropOldest(address: string): void {
    if ((strangersAt.get(address) ?? 0) > maxStrangersPerAddress)
      drop(first(strangers, (other) => other.address === address));
  }

  http.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const connection: Connection = {
      socket,
      address,
      requests: 0,
      takenBytes: 0,
      stalledSince: undefined,
    };
    bySocket.set(socket, connection);
    strangers.add(connection);
    socket.once("close", () => forget(connection));
    if (countStranger(address, 1) > maxStrangersPerAddress)
      setTimeout(dropOldest, SHOW_TOKEN_MS, address).unref();
    if (strangers.size + known.size <= max) return;
    const others = first(strangers, (other) => other !== connection);
    drop(others ?? first(known, ({ requests }) => requests === 0) ?? connection);
  });

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const connection of [...known]) {
      const { socket } = connection;
      const taken = socket.bytesWritten - socket.writableLength;
      const isStuck = socket.writableLength > 0 && taken === connection.takenBytes;
      connection.takenBytes = taken;
      connection.stalledSince = isStuck ? (connection.stalledSince ?? now) : undefined;
      if (now - (connection.stalledSince ?? now) >= stalledMs) drop(connection);
    }
  }, SWEEP_EVERY_MS);
  sweep.unref();

  return {
    begin(socket) {
      const connection = bySocket.get(socket);
      if (connection === undefined) return () => {};
      if (strangers.delete(connection)) {
        countStranger(connection.address, -1);
        known.add(connection);
      }
      connection.requests++;
      return () => {
        connection.requests--;
        // The one that was idle longest gives way first.
        if (known.delete(connection)) known.add(connection);
      };
    },
    close: () => clearInterval(sweep),
  };
}

function first<Value>(values: Iterable<Value>, isIt: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (isIt(value)) return value;
  return undefined;
}
