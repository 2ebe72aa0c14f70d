import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** What became of a hostile request. */
export type Answer =
  | {
      readonly came: true;
      readonly ok: boolean;
      readonly kind: string;
      readonly text: string;
      readonly ms: number;
    }
  | { readonly came: false; readonly why: string; readonly ms: number };

export type Attacker = {
  run(code: string, options?: { withinMs?: number; signal?: AbortSignal }): Promise<Answer>;
  search(query: string): Promise<Answer>;
  close(): Promise<void>;
};

const ANSWER_MS = 90_000;

/** A session of its own, with the token that it is given. */
export async function connectAttacker(url: string, token: string): Promise<Attacker> {
  const client = new Client(
    { name: "hostile", version: "1.0.0" },
    { versionNegotiation: { mode: "legacy" } },
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

  async function ask(name: string, args: Record<string, unknown>, withinMs: number, signal?: AbortSignal) {
    const startedAt = Date.now();
    const ms = () => Date.now() - startedAt;
    try {
      const options = { timeout: withinMs, ...(signal === undefined ? {} : { signal }) };
      return toAnswer(await client.callTool({ name, arguments: args }, options), ms());
    } catch (error) {
      const why = error instanceof Error ? `${error.message}${causeOf(error)}` : String(error);
      return { came: false, why, ms: ms() } as const;
    }
  }

  return {
    run: (code, { withinMs = ANSWER_MS, signal } = {}) => ask("execute_code", { code }, withinMs, signal),
    search: (query) => ask("search_tools", { query }, ANSWER_MS),
    close: () => client.close().catch(() => {}),
  };
}

function toAnswer(result: Awaited<ReturnType<Client["callTool"]>>, ms: number): Answer {
  const data = result._meta?.["keyhole/result"] as { error?: { kind?: string } } | undefined;
  const shown = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  const ok = result.isError !== true;
  const kind = ok ? "ok" : (data?.error?.kind ?? "none");
  return { came: true, ok, kind, text: shown, ms };
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? ` (${error.cause.message})` : "";
}
