import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CALL_FAILURE_CODES } from "../../src/errors.ts";
import { ALL_CLASSES } from "../../src/pii-classes.ts";
import { CHUNK_BYTES, CHUNK_HEADER_BYTES } from "../../src/sandbox/host/chunks.ts";
import {
  STREAM_PIECE_BYTES,
  STREAM_WINDOW_BYTES,
  STREAMS_OPEN,
} from "../../src/sandbox/host/guest-streams.ts";
import { readCall, readDone, readLogLevel } from "../../src/sandbox/host/guest-words.ts";
import { MAX_JSON_DEPTH } from "../../src/sandbox/host/json-weight.ts";
import { createFrameReader, encodeFrame, FRAME } from "../../src/sandbox/host/protocol.ts";
import { toStartFrame } from "../../src/sandbox/host/start-frame.ts";

const PROTOCOL = z.object({
  header: z.object({ fields: z.array(z.object({ name: z.string(), bytes: z.number() })) }),
  limits: z.record(z.string(), z.number()),
  logLevels: z.array(z.string()),
  failureCodes: z.array(z.string()),
  frames: z.record(
    z.string(),
    z.object({
      number: z.number(),
      from: z.enum(["guest", "host", "either"]),
      payload: z.enum(["empty", "text", "json", "bytes"]),
      schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
    }),
  ),
});
const VECTORS = z.object({
  frames: z.array(
    z.object({
      name: z.string(),
      frame: z.string(),
      id: z.number(),
      text: z.string().optional(),
      bytes: z.string().optional(),
      fill: z.object({ bytes: z.string(), times: z.number() }).optional(),
      hex: z.string(),
    }),
  ),
  streams: z.array(z.object({ name: z.string(), frames: z.array(z.string()) })),
  faults: z.array(z.object({ name: z.string(), hex: z.string(), maxLength: z.number(), fault: z.string() })),
});

const read = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));
const protocol = PROTOCOL.parse(await read("../../src/sandbox/protocol.json"));
const vectors = VECTORS.parse(await read("./protocol-vectors.json"));

type Frame = { readonly type: number; readonly id: number; readonly payload: Uint8Array };
type Vector = Frame & { readonly name: string; readonly frame: string; readonly whole: Buffer };

/** One end of the protocol: the same frames as bytes, and as what they mean. */
type End = {
  encode(frame: Frame): Promise<Uint8Array> | Uint8Array;
  decode(chunks: readonly Buffer[]): Promise<Frame[]> | Frame[];
};

const FRAMES: readonly Vector[] = vectors.frames.map(({ name, frame, id, text, bytes, fill, hex }) => {
  const payload =
    fill === undefined
      ? Buffer.from(text ?? bytes ?? "", text === undefined ? "hex" : "utf8")
      : Buffer.alloc(fill.times * (fill.bytes.length / 2), fill.bytes, "hex");
  const header = Buffer.from(hex, "hex");
  const whole = fill === undefined ? header : Buffer.concat([header, payload]);
  return { name, frame, type: protocol.frames[frame]?.number ?? 0, id, payload, whole };
});

const host: End = {
  encode: ({ type, id, payload }) => encodeFrame(type, id, payload),
  decode(chunks) {
    const reader = createFrameReader(2 ** 30);
    return chunks.flatMap((chunk) => {
      reader.push(chunk);
      const frames: Frame[] = [];
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
        if ("fault" in frame) throw new Error(frame.fault);
        frames.push({ ...frame, payload: Buffer.from(frame.payload) });
      }
      return frames;
    });
  },
};

const guestFrames: {
  FRAME: object;
  createFrameWriter(write: (bytes: Uint8Array) => number): {
    send(type: number, id: number, text: string): void;
    sendBytes(type: number, id: number, bytes: Uint8Array): void;
    flush(): void;
  };
  readFrames(
    read: (buffer: Uint8Array) => Promise<number | null>,
    onFrame: (type: number, id: number, payload: Uint8Array) => void,
  ): Promise<void>;
} = await import(new URL("../../src/sandbox/guest/javascript/frames.js", import.meta.url).href);

const javascriptGuest: End = {
  encode({ type, id, payload }) {
    const written: Uint8Array[] = [];
    // Never all at once, as a pipe may.
    const writer = guestFrames.createFrameWriter((bytes) => {
      const taken = Math.min(bytes.length, 70_001);
      written.push(bytes.slice(0, taken));
      return taken;
    });
    const isBytes = Object.values(protocol.frames).some(
      (frame) => frame.number === type && frame.payload === "bytes",
    );
    if (isBytes) writer.sendBytes(type, id, payload);
    else writer.send(type, id, Buffer.from(payload).toString("utf8"));
    writer.flush();
    return Buffer.concat(written);
  },
  async decode(chunks) {
    const frames: Frame[] = [];
    let waiting = [...chunks];
    const take = async (buffer: Uint8Array) => {
      const [first, ...others] = waiting;
      if (first === undefined) return null;
      const count = Math.min(first.length, buffer.length);
      buffer.set(first.subarray(0, count));
      waiting = count < first.length ? [first.subarray(count), ...others] : others;
      return count;
    };
    await guestFrames.readFrames(take, (type, id, payload) =>
      frames.push({ type, id, payload: payload.slice() }),
    );
    return frames;
  },
};

const linesFrames: {
  encode(type: number, id: number, payload: Uint8Array): Uint8Array;
  createDecoder(): (chunk: Uint8Array) => Frame[];
} = await import(new URL("../language/lines/guest/frames.js", import.meta.url).href);

const linesGuest: End = {
  encode: ({ type, id, payload }) => linesFrames.encode(type, id, payload),
  decode: (chunks) => chunks.flatMap(linesFrames.createDecoder()),
};

const pythonEnd = fileURLToPath(new URL("../fixtures/guests/python/protocol-end.py", import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** One process for each question: what it is asked, and what it answers, is JSON with bytes in hexadecimal digits. */
function askPython(asked: object): unknown {
  const { stdout } = spawnSync("python3", ["-B", pythonEnd], {
    input: JSON.stringify(asked),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout);
}

const PYTHON_FRAMES = z.array(z.tuple([z.number(), z.number(), z.string()]));

const toPlain = ({ type, id, payload }: Frame) => ({
  type,
  id,
  payload: Buffer.from(payload).toString("hex"),
});

function isSmallBytes(frame: string): boolean {
  const { from, payload } = protocol.frames[frame] ?? {};
  return payload !== "bytes" || (from !== "host" && frame !== "chunk");
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

describe.each([
  ["the host", host, FRAMES],
  // Its chunks are made of larger frames.
  ["the JavaScript guest", javascriptGuest, FRAMES.filter(({ frame }) => isSmallBytes(frame))],
  ["a guest written from the data alone", linesGuest, FRAMES],
] as const)("%s", (_, end, sent) => {
  it.each(sent)("encodes $name", async (vector) => {
    const bytes = Buffer.from(await end.encode(vector));
    expect(bytes.equals(vector.whole)).toBe(true);
  });

  it.each(FRAMES)("decodes $name", async (vector) => {
    const [frame, ...others] = await end.decode([vector.whole]);
    expect(others).toEqual([]);
    expect(frame && { type: frame.type, id: frame.id }).toEqual({ type: vector.type, id: vector.id });
    expect(Buffer.from(frame?.payload ?? []).equals(vector.payload)).toBe(true);
  });

  it.each(vectors.streams)("decodes $name however it is cut", async ({ frames: names }) => {
    const expected = names.flatMap((name) => FRAMES.filter((vector) => vector.name === name));
    expect(expected).toHaveLength(names.length);
    const bytes = Buffer.concat(expected.map(({ whole }) => whole));
    const sizes = bytes.length > 10_000 ? [4_096, 65_536, bytes.length] : [1, 2, 3, 7, 64, bytes.length];
    for (const size of sizes)
      expect((await end.decode(cut(bytes, size))).map(toPlain)).toEqual(expected.map(toPlain));
  });
});

describe.runIf(hasPython)("the Python guest", () => {
  it("encodes all that it sends, and decodes all there is, however it is cut", () => {
    const sent = FRAMES.filter(({ frame }) => isSmallBytes(frame));
    const frames = sent.map(({ type, id, payload }) => [type, id, Buffer.from(payload).toString("hex")]);
    const streams = [
      { expected: FRAMES, sizes: [65_536] },
      { expected: FRAMES.filter(({ payload }) => payload.length < 1_000), sizes: [1, 7, 64] },
    ].map(({ expected, sizes }) => ({
      expected,
      sizes,
      bytes: Buffer.concat(expected.map(({ whole }) => whole)),
    }));
    const decode = streams.map(({ sizes, bytes }) => ({ sizes, bytes: bytes.toString("hex") }));
    const [encoded, decoded] = z
      .tuple([z.array(z.string()), z.array(z.array(PYTHON_FRAMES))])
      .parse(askPython({ encode: frames, decode }));
    for (const [at, { name, whole }] of sent.entries())
      expect({ name, isSame: encoded[at] === whole.toString("hex") }).toEqual({ name, isSame: true });
    for (const [at, { expected }] of streams.entries())
      for (const found of decoded[at] ?? [])
        expect(found.map(([type, id, payload]) => ({ type, id, payload }))).toEqual(expected.map(toPlain));
  });

  it("has the numbers of the data, and cuts large frames as the data says", () => {
    const numbers = Object.entries(protocol.frames).map(([name, { number }]) => [name, number]);
    const [told, chunkBytes, back] = z
      .tuple([z.record(z.string(), z.number()), z.number(), z.string()])
      .parse(askPython({ chunks: 300_000 }));
    expect(told).toEqual(Object.fromEntries(numbers));
    expect(chunkBytes).toBe(CHUNK_BYTES);
    expect(back).toBe("whole again");
  });
});

describe("the host, which trusts no guest,", () => {
  it.each(vectors.faults)("reads no frame that is $name", ({ hex, maxLength, fault }) => {
    const reader = createFrameReader(maxLength);
    reader.push(Buffer.from(hex, "hex"));
    expect(reader.next()).toMatchObject({ fault });
    reader.push(encodeFrame(FRAME.ready, 0, ""));
    expect(reader.next()).toBeUndefined();
  });
});

describe("the protocol's data", () => {
  const numbers = Object.fromEntries(
    Object.entries(protocol.frames).map(([name, { number }]) => [name, number]),
  );
  const { limits } = protocol;

  it("has the numbers of the host and of the JavaScript guest", () => {
    expect(FRAME).toEqual(numbers);
    expect(guestFrames.FRAME).toEqual(numbers);
    expect(new Set(Object.values(numbers)).size).toBe(Object.keys(numbers).length);
  });

  it("has a vector for each kind of frame, each with a payload of its kind and shape", () => {
    expect(new Set(FRAMES.map(({ frame }) => frame))).toEqual(new Set(Object.keys(protocol.frames)));
    for (const { name, frame, payload } of FRAMES) {
      const { payload: kind, schema } = protocol.frames[frame] ?? {};
      const text = Buffer.from(payload).toString("utf8");
      if (kind === "empty") expect(text).toBe("");
      if (kind !== "json" || text.trim() === "") continue;
      const isRight = z.fromJSONSchema(schema ?? true).safeParse(JSON.parse(text)).success;
      expect({ name, isRight }).toEqual({ name, isRight: true });
    }
  });

  it("has the header's length, and the words of both sides", () => {
    expect(protocol.header.fields.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(limits["headerBytes"]);
    expect(encodeFrame(1, 0, "")).toHaveLength(limits["headerBytes"] ?? 0);
    expect(protocol.logLevels.map((_, level) => readLogLevel(level))).toEqual(protocol.logLevels);
    expect(readLogLevel(protocol.logLevels.length)).toBeUndefined();
    expect([...CALL_FAILURE_CODES]).toEqual(protocol.failureCodes);
  });

  it("has the limits that the host holds a guest to", () => {
    expect(limits).toMatchObject({
      chunkBytes: CHUNK_BYTES,
      chunkHeaderBytes: CHUNK_HEADER_BYTES,
      streamWindowBytes: STREAM_WINDOW_BYTES,
      streamPieceBytes: STREAM_PIECE_BYTES,
      streamsOpen: STREAMS_OPEN,
    });
    const { nameCharacters = 0, timeoutMs = 0, messageCharacters = 0, stackFrames = 0, place = 0 } = limits;
    const isCall = (...call: unknown[]) => readCall(Buffer.from(JSON.stringify(call))) !== undefined;
    expect(isCall("s", "t".repeat(nameCharacters), {})).toBe(true);
    expect(isCall("s", "t".repeat(nameCharacters + 1), {})).toBe(false);
    expect(isCall("s".repeat(nameCharacters + 1), "t", {})).toBe(false);
    expect(isCall("s", "t", {}, timeoutMs)).toBe(true);
    expect(isCall("s", "t", {}, timeoutMs + 1)).toBe(false);
    expect(MAX_JSON_DEPTH).toBe(limits["jsonDepth"]);
    const failure = {
      message: "m".repeat(messageCharacters + 1),
      stack: Array.from({ length: stackFrames + 1 }, () => ({ line: place, column: 1 })),
      source: { line: place + 1, column: 1 },
    };
    const told = readDone(Buffer.from(JSON.stringify({ ok: false, error: failure })));
    if (told === undefined || told.ok) throw new Error("It is no failure");
    expect(told.error.message).toHaveLength(messageCharacters);
    expect(told.error.stack).toHaveLength(stackFrames);
    expect(told.error.source).toBeUndefined();
  });

  it("has the shape of what the host starts a program with", () => {
    const program = {
      code: "return 1",
      servers: ["github"],
      aliases: [["git-hub", "github"]] as const,
      functions: [["github", ["createIssue"]]] as const,
      hostFolders: ["servers"],
      hostFiles: { "workspace/results": [["r.json", 12]] as const },
      modules: ["fs"],
      network: { ca: ["-----BEGIN CERTIFICATE-----"] },
      facts: [["[EMAIL_1]", "v1", { domain: "corp.example" }]] as const,
      tokenClasses: ALL_CLASSES,
      skills: [{ name: "tidy-rows", code: "return {}" }],
    };
    const denied = { code: "", servers: [], facts: "denied" } as const;
    const folders = [{ name: "workspace", dir: "/folders/workspace", access: "write" as const }];
    const schema = protocol.frames["start"]?.schema;
    const known = typeof schema === "object" ? Object.keys(Object(schema["properties"])) : [];
    for (const text of [
      toStartFrame(program, folders),
      toStartFrame({ code: "", servers: [] }, []),
      toStartFrame(denied, []),
    ]) {
      const start: unknown = JSON.parse(text);
      expect(z.fromJSONSchema(schema ?? false).safeParse(start).error).toBeUndefined();
      expect(known).toEqual(expect.arrayContaining(Object.keys(Object(start))));
    }
  });
});
