import { once } from "node:events";
import { createServer } from "node:net";
import { connect } from "node:tls";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { MAX_HELLO_BYTES, readClientHello } from "./client-hello.ts";

/** What Node's own TLS sends first. */
async function helloOf(servername: string | undefined): Promise<Buffer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const client = connect({ port, host: "127.0.0.1", ...(servername === undefined ? {} : { servername }) });
  client.on("error", () => {});
  const [socket] = await once(server, "connection");
  const [hello] = await once(socket, "data");
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

let hello: Buffer;
beforeAll(async () => {
  hello = await helloOf("Api.Example.com");
});

it("reads the name that a client asks for, however its message is cut into records", async () => {
  expect(readClientHello(hello)).toEqual({ serverName: "api.example.com", hidesName: false });
  expect(readClientHello(await helloOf(undefined))).toEqual({ serverName: undefined, hidesName: false });
  const message = hello.subarray(5);
  for (const size of [1, 7, 100]) {
    const records: Buffer[] = [];
    for (let at = 0; at < message.length; at += size) {
      const piece = message.subarray(at, at + size);
      records.push(Buffer.from([22, 3, 1, piece.length >> 8, piece.length & 255]), piece);
    }
    expect(readClientHello(Buffer.concat(records))).toMatchObject({ serverName: "api.example.com" });
  }
});

it("waits for the rest of it", () => {
  for (let length = 0; length < hello.length; length++) {
    expect(readClientHello(hello.subarray(0, length))).toBeUndefined();
  }
});

it("knows what is no TLS at once", () => {
  for (const text of [
    "GET / HTTP/1.1",
    "SSH-2.0",
    "EHLO",
    "\u0016\u0002",
    "\u0017\u0003\u0003",
    "\u0016\u0003\u0001\u0000\u0004\u0002\u0000\u0000\u0000",
  ])
    expect(readClientHello(Buffer.from(text, "latin1"))).toBe("wrong");
});

it("sees that a name is hidden, and that two are given", () => {
  const hidden = withExtension(hello, Buffer.from("fe0d000100", "hex"));
  expect(readClientHello(hidden)).toMatchObject({ hidesName: true });
  const second = withExtension(hello, Buffer.from("0000000a0008000005652e636f6d", "hex"));
  expect(readClientHello(second)).toBe("wrong");
});

it("reads any bytes without a word of its own", () => {
  const isKnown = (bytes: Buffer) => {
    const read = readClientHello(bytes);
    if (read === undefined) expect(bytes.length).toBeLessThan(2 * MAX_HELLO_BYTES);
    else if (read !== "wrong") expect(read).toHaveProperty("hidesName");
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => isKnown(Buffer.from(bytes))));
  fc.assert(
    fc.property(fc.nat({ max: 1_000 }), fc.nat({ max: 255 }), fc.nat({ max: 255 }), (at, first, second) => {
      const changed = Buffer.from(hello);
      changed[at % hello.length] = first;
      changed[(at + 1) % hello.length] = second;
      isKnown(changed);
    }),
  );
});

/** The same with one more extension at its end, and all lengths made right. */
function withExtension(bytes: Buffer, extension: Buffer): Buffer {
  const message = Buffer.concat([bytes.subarray(5), extension]);
  message.writeUIntBE(message.length - 4, 1, 3);
  let at = 4 + 34;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  message.writeUInt16BE(message.length - at - 2, at);
  const header = Buffer.from([22, 3, 1, message.length >> 8, message.length & 255]);
  return Buffer.concat([header, message]);
}
