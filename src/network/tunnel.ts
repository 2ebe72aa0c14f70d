import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { MAX_HELLO_BYTES, readClientHello } from "./client-hello.ts";
import { EgressError } from "./egress-error.ts";
import { createByteMeter } from "./meter.ts";
import type { WebTarget } from "./rules.ts";
import type { BytesDirection } from "./run-account.ts";

/**
 * Bytes both ways, as they are: TLS ends in the program. Only the first message is looked at. It must be TLS, to the host
 * that was asked for: otherwise one name would be allowed and another reached, behind an address that serves both.
 */
export async function tunnel(
  guest: Duplex,
  server: Socket,
  early: Buffer,
  target: WebTarget,
  count: (direction: BytesDirection, bytes: number) => void,
): Promise<void> {
  guest.write("HTTP/1.1 200 Connection established\r\n\r\n");
  const hello = await readHello(guest, early, target);
  count("sent", hello.length);
  server.write(hello);
  const up = createByteMeter((bytes) => count("sent", bytes));
  const down = createByteMeter((bytes) => count("received", bytes));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [guest, server, up, down]) stream.on("error", reject);
    server.on("close", resolve);
    guest.on("close", resolve);
    guest.pipe(up).pipe(server);
    server.pipe(down).pipe(guest);
  });
}

function readHello(guest: Duplex, early: Buffer, target: WebTarget): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let held = early;
    const end = () => {
      guest.off("data", onData).off("close", onClose).off("end", onClose).pause();
    };
    const onClose = () => {
      end();
      reject(new EgressError("unreachable", "the connection was closed before it was used"));
    };
    function onData(chunk: Buffer): void {
      held = Buffer.concat([held, chunk]);
      look();
    }
    function look(): void {
      const hello = readClientHello(held);
      if (hello === undefined && held.length <= MAX_HELLO_BYTES) return;
      end();
      if (hello === undefined || hello === "wrong")
        reject(
          new EgressError("malformed", "only TLS goes through a tunnel, and this does not begin as it does"),
        );
      else if (!isMeant(hello.serverName, target))
        reject(
          new EgressError(
            "denied",
            `the tunnel is to "${target.host.name}", and TLS in it asks for another host`,
          ),
        );
      else if (hello.hidesName)
        reject(new EgressError("denied", "TLS that hides the host it asks for (ECH) does not go through"));
      else resolve(held);
    }
    guest.on("data", onData).on("close", onClose).on("end", onClose);
    look();
    // It may have ended while the server was being connected to, and says so only once.
    if (guest.readableEnded || guest.destroyed) onClose();
  });
}

/** For an address clients name nobody. */
function isMeant(serverName: string | undefined, { host }: WebTarget): boolean {
  if (serverName === undefined) return host.isAddress;
  return serverName === host.name;
}
