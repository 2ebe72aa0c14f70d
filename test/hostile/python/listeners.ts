import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { isRecord } from "../../../src/text/is-record.ts";

export type Listeners = {
  readonly port: number;
  /** Who was there. */
  seen(): readonly string[];
  close(): Promise<void>;
};

/** On loopback, TCP and UDP, on one free port. Nobody is to reach them. */
export async function startListeners(): Promise<Listeners> {
  const seen: string[] = [];
  const tcp = createServer((socket) => {
    seen.push(`tcp ${socket.remoteAddress}`);
    socket.destroy();
  });
  await new Promise<void>((ready) => tcp.listen(0, "127.0.0.1", ready));
  const address = tcp.address();
  const port = isRecord(address) ? Number(address["port"]) : 0;
  const udp = createSocket("udp4", (_message, from) => seen.push(`udp ${from.address}`));
  await new Promise<void>((ready) => udp.bind(port, "127.0.0.1", ready));
  return {
    port,
    seen: () => seen,
    async close() {
      udp.close();
      await new Promise((closed) => tcp.close(closed));
    },
  };
}
