import type { KeyholeError } from "../errors.ts";
import type { ToolResult } from "./unwrap.ts";

/**
 * All that the rest of Keyhole knows of an MCP server. Transports, protocol eras, fall-backs, reconnecting (and, later,
 * OAuth) stay behind it.
 */
export type Connection = {
  readonly name: string;
  /** What is known without asking. */
  status(): ConnectionStatus;
  /** Connects if need be; callers at the same time share one attempt. */
  connect(options?: { signal?: AbortSignal }): Promise<ServerInfo>;
  /** Every page of `tools/list`, as the server sent it: unchecked. */
  listTools(options?: { signal?: AbortSignal }): Promise<RawToolList>;
  /** How many there are at a time is up to whoever calls. */
  callTool(tool: CallTarget, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  /** Another number whenever what the server lists may have become another: it said so, it was connected anew, or lost. */
  listVersion(): number;
  /** Called when the server says that its tools have changed. */
  onToolsChanged(listener: () => void): void;
  close(): Promise<void>;
};

export type ConnectionStatus =
  | { readonly state: "idle" | "connecting" }
  | { readonly state: "connected"; readonly info: ServerInfo }
  | { readonly state: "failed"; readonly error: KeyholeError; readonly retryAtMs: number }
  | { readonly state: "closed" };

export type ProtocolEra = "legacy" | "modern";

export type ServerInfo = {
  /** As the server calls itself; it may not say. */
  readonly title?: string;
  readonly version?: string;
  readonly protocolVersion: string;
  readonly era: ProtocolEra;
  readonly transport: "stdio" | "http" | "sse";
  readonly instructions?: string;
};

export type RawToolList = {
  readonly tools: readonly unknown[];
  /** What was wrong with the list as a whole. */
  readonly warnings: readonly string[];
};

export type CallTarget = {
  readonly name: string;
  /** Lets parameters that the schema marks with `x-mcp-header` travel as headers. */
  readonly inputSchema?: unknown;
  /** Where it is there, what it says of a text in a field holds: the text is not parsed. */
  readonly outputSchema?: unknown;
};

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** Instead of the server's `timeoutMs`. It restarts whenever the server reports progress. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: CallProgress) => void;
  /** Goes with the request as its `_meta`. */
  readonly meta?: Readonly<Record<string, string>>;
};

export type CallProgress = { readonly progress: number; readonly total?: number; readonly message?: string };
