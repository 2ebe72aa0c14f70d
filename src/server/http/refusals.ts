import type { ServerResponse } from "node:http";
import type { Outbox } from "../../result/outbox/outbox.ts";
import { isRecord } from "../../text/is-record.ts";

/** What is said to a client outside of any MCP session; it leaves through the outbox as all else does. */
export type Refusals = {
  write(response: ServerResponse, status: number, message: string): void;
  /** What is no MCP: data for people who answer approvals. */
  writeData(response: ServerResponse, status: number, data: Readonly<Record<string, unknown>>): void;
  /** A text whose words have passed the outbox, each by itself. */
  writeText(response: ServerResponse, text: string, type: string): void;
  /** What may leave of such a word. */
  toShown(word: string): string;
  toResponse(status: number, message: string): Response;
  /** The same response; what the SDK refuses by itself, before any server of ours is asked, has passed the outbox. */
  pass(response: Response): Promise<Response>;
};

export function createRefusals(outbox: Outbox): Refusals {
  const toBody = (message: string) =>
    JSON.stringify(outbox.message({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));

  return {
    write(response, status, message) {
      const headers = {
        "content-type": "application/json",
        ...(status === 401 && { "www-authenticate": "Bearer" }),
      };
      response.writeHead(status, headers);
      response.end(toBody(message));
    },
    writeData(response, status, data) {
      response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(JSON.stringify(outbox.data(data)));
    },
    writeText(response, text, type) {
      const length = Buffer.byteLength(text);
      response.writeHead(200, {
        "content-type": type,
        "cache-control": "no-store",
        "content-length": length,
      });
      response.end(text);
    },
    toShown: outbox.text,
    toResponse: (status, message) =>
      new Response(toBody(message), { status, headers: { "content-type": "application/json" } }),
    async pass(response) {
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      if (response.status < 400 || !isJson) return response;
      const refused: unknown = await response.json();
      const messages: unknown[] = Array.isArray(refused) ? refused : [refused];
      const passed = messages.map((one) => (isRecord(one) ? outbox.message(one) : {}));
      const headers = new Headers(response.headers);
      headers.delete("content-length");
      return new Response(JSON.stringify(Array.isArray(refused) ? passed : passed[0]), {
        status: response.status,
        headers,
      });
    },
  };
}
