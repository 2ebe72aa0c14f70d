import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDockerApi } from "./docker-api.ts";

/** Something in a daemon's place, which says this at once, and a byte again and again. */
async function dripping(said: string) {
  const dir = await mkdtemp(join(tmpdir(), "keyhole-drip-"));
  const path = join(dir, "s");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write(said);
    const drip = setInterval(() => socket.write("x"), 20);
    socket.on("close", () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const api = createDockerApi({ kind: "socket", path }, { timeoutMs: 200 });
  onTestFinished(async () => {
    api.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(dir, { recursive: true, force: true });
  });
  return api;
}

describe("a daemon that never comes to an end", () => {
  it("is given up in the midst of an answer", async () => {
    const api = await dripping("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
    await expect(api.ask("GET", "/version")).rejects.toThrow("No answer within 200 ms");
    await expect(api.must("start a container", "POST", "/x")).rejects.toThrow("No answer within 200 ms");
  });

  it("is given up in the midst of the headers, and before a stream begins", async () => {
    const api = await dripping("HTTP/1.1 101 Switching\r\nX-Long: ");
    await expect(api.ask("GET", "/version")).rejects.toThrow("No answer within 200 ms");
    await expect(api.upgrade("attach", "/x")).rejects.toThrow("No answer within 200 ms");
  });

  it("is given up where it begins to speak another protocol", async () => {
    const api = await dripping("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    await expect(api.ask("GET", "/version")).rejects.toThrow("without an answer");
  });

  it("is given all the time there is once a stream has begun", async () => {
    const api = await dripping("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    const stream = await api.upgrade("attach", "/x");
    let bytes = 0;
    for await (const piece of stream) {
      bytes += piece.length;
      // Longer than an answer may take.
      if (bytes > 20) break;
    }
    expect(bytes).toBeGreaterThan(20);
  });
});
