import { randomUUID } from "node:crypto";
import type { ParseText } from "../../config/server-definition.ts";
import { KeyholeError, ToolError } from "../../errors.ts";
import { isRecord } from "../../text/is-record.ts";
import type { Collected } from "../collect-message.ts";
import type { JsonScan } from "../json-scan.ts";
import type { OpenRequest, OpenRequests, RequestId } from "../open-requests.ts";
import { type Excess, type MessageLimits, tooLarge } from "../too-large.ts";
import type { Answer, LargeValue } from "./answer.ts";
import { ANSWER_POOL } from "./answer-pool.ts";

/**
 * Where a connection's messages come in. A large one is read elsewhere, and a small one takes its place on its way through
 * the transport and the SDK, with a handle by which whoever asked finds what it was.
 */
export type Intake = {
  readonly limits: MessageLimits;
  /** The bytes to be read in place of the message; nothing when it answers nobody. */
  admit(collected: Collected): Buffer | undefined | Promise<Buffer | undefined>;
  /** What to say of a message that does not end. */
  toFailure(excess: Excess, scan: JsonScan, ending?: string): KeyholeError;
  /** Whether an id is that of a request under way. */
  isAwaited(id: RequestId): boolean;
  /** Whether an id is that of a request somebody gave up meanwhile. */
  isLate(id: RequestId): boolean;
  /** What a handle stands for: once, and soon. It throws what is a failure. */
  take(raw: unknown): Taken | undefined;
  /** The failure that the data of an error stands for. */
  takeFailure(data: unknown): KeyholeError | undefined;
  /** Remembers of a tool that it says what it returns. */
  declare(tool: string, isDeclared: boolean): void;
};

export type Taken = LargeValue | Extract<Answer, { kind: "tools" }>;

type Kept = { readonly taken: Taken } | { readonly failure: KeyholeError };

const HANDLE = "keyhole/large";
/** A handle is used as soon as its message has passed the SDK, or never. */
const HANDLE_MS = 10_000;
const INTERNAL_ERROR = -32603;

export function createIntake(options: {
  server: string;
  limits: MessageLimits;
  parse: ParseText;
  requests: OpenRequests;
}): Intake {
  const { server, limits, parse, requests } = options;
  const kept = new Map<string, Kept>();
  const declared = new Set<string>();
  /** Answers that are being read: a second one to the same request is none. */
  const reading = new Set<RequestId>();

  function keep(what: Kept): string {
    const handle = randomUUID();
    kept.set(handle, what);
    setTimeout(() => kept.delete(handle), HANDLE_MS).unref();
    return handle;
  }

  function find(handle: unknown): Kept | undefined {
    if (typeof handle !== "string") return undefined;
    const found = kept.get(handle);
    kept.delete(handle);
    return found;
  }

  async function readLarge({ bytes, scan, release }: Extract<Collected, { kind: "large" }>) {
    try {
      const open = toOpen(scan);
      if (open === undefined || reading.has(open.id)) return undefined;
      const { id, request } = open;
      reading.add(id);
      const isDeclared = request.tool !== undefined && declared.has(request.tool);
      const size = bytes.length;
      const job = { server, request, bytes, limits, parse, isDeclared };
      const outcome = await ANSWER_POOL.read(job).finally(() => reading.delete(id));
      // Whoever asked may have given up meanwhile.
      if (requests.find(id) === undefined) return undefined;
      if (typeof outcome !== "string") return toSubstitute(id, request, outcome);
      const { tool } = request;
      const message = `Server "${server}" answered "${tool ?? request.method}" with ${size} bytes that ran ${outcome} when they were read`;
      const hint = "Ask for less at once";
      return fail(id, new KeyholeError("too_large", message, { server, tool, hint }));
    } finally {
      release();
    }
  }

  function toOpen({ id, hasMethod }: JsonScan) {
    return id === undefined || hasMethod ? undefined : requests.find(id);
  }

  function toSubstitute(id: RequestId, request: OpenRequest, answer: Answer): Buffer {
    const { tool } = request;
    switch (answer.kind) {
      case "value":
      case "tools":
        return toBytes({ id, result: { [HANDLE]: keep({ taken: answer }) } });
      case "error":
        return toBytes({ id, error: { code: answer.code, message: answer.message } });
      case "tool_failed":
        return fail(id, new ToolError(server, tool ?? "", answer.message, []));
      case "refused": {
        const { code, message, hint } = answer;
        return fail(id, new KeyholeError(code, message, { server, tool, hint }));
      }
    }
  }

  function fail(id: RequestId, failure: KeyholeError): Buffer {
    const { message } = failure;
    return toBytes({ id, error: { code: INTERNAL_ERROR, message, data: keep({ failure }) } });
  }

  return {
    limits,
    admit(collected) {
      if (collected.kind === "small") return collected.bytes;
      if (collected.kind === "large") return readLarge(collected);
      const open = toOpen(collected.scan);
      if (open === undefined) return undefined;
      return fail(open.id, tooLarge(collected.excess, { server, tool: open.request.tool }));
    },
    toFailure: (excess, scan, ending) =>
      tooLarge(excess, { server, tool: toOpen(scan)?.request.tool, ending }),
    isAwaited: (id) => requests.find(id) !== undefined,
    isLate: requests.isLate,
    take(raw) {
      const found = isRecord(raw) ? find(raw[HANDLE]) : undefined;
      if (found !== undefined && "failure" in found) throw found.failure;
      return found?.taken;
    },
    takeFailure(data) {
      const found = find(data);
      return found !== undefined && "failure" in found ? found.failure : undefined;
    },
    declare(tool, isDeclared) {
      if (isDeclared) declared.add(tool);
      else declared.delete(tool);
    },
  };
}

function toBytes(message: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
}
