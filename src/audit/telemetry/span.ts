import type { TraceContext } from "./trace-context.ts";

export type SpanKind = "internal" | "server" | "client";

/** Of a span: never contents, such as arguments, results or code. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type EndedSpan = {
  readonly context: TraceContext;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with their fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** It failed so; a message could have contents in it. */
  readonly errorType?: string | undefined;
};
