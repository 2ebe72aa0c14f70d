import { nameIndexOf } from "../../catalog/name-index.ts";
import type { ServerRecord } from "../../catalog/tool.ts";

/** A query that asks in so many words for the tools of some servers. */
export type ServerFilter = {
  readonly servers: ReadonlySet<ServerRecord>;
  /** What is asked of them. */
  readonly query: string;
  /** Nothing was asked but their name: all that they have is wanted. */
  readonly isAll: boolean;
};

export type FilterReader = {
  read(query: string): ServerFilter | undefined;
  /** The name that a query marks as a server's in so many words (`server:github`), whether or not there is one. */
  markedName(query: string): string | undefined;
};

const SERVER_MARK = /(?:^|\s)server:\s*([^\s:,;]+)/i;

/** `server:github issues`, `@github issues`, `github.createIssue`, `github__create_issue`. */
const MARKED = [
  SERVER_MARK,
  /(?:^|\s)@([\p{L}\p{N}_-]+)/u,
  /^\s*([^\s.]+)\.(?=[\p{L}_])/u,
  /^\s*(\S+?)__(?=\S)/,
];
const AROUND_A_NAME = /\b(?:all|the|tools?|of|from|mcp|server)\b/gi;

/** Reads which servers a query is limited to. A name within a sentence is no limit: `memory` and `time` are words, too. */
export function createFilterReader(servers: readonly ServerRecord[]): FilterReader {
  /** All whom a spelling could mean: a search need not choose. */
  function find(spelling: string): ReadonlySet<ServerRecord> | undefined {
    const meant = nameIndexOf(servers).server(spelling);
    if (meant.kind === "none") return undefined;
    return new Set(meant.kind === "one" ? [meant.value] : meant.values);
  }
  const markedName = (query: string) => SERVER_MARK.exec(query)?.[1];

  function read(query: string): ServerFilter | undefined {
    const whole = find(query) ?? find(query.replace(AROUND_A_NAME, ""));
    if (whole) return { servers: whole, query, isAll: true };
    for (const pattern of MARKED) {
      const [written = "", name = ""] = pattern.exec(query) ?? [];
      const found = name === "" ? undefined : find(name);
      const rest = query.replace(written, " ");
      const isAll = !/[\p{L}\p{N}]/u.test(rest);
      if (found) return { servers: found, query: isAll ? name : rest, isAll };
    }
    return undefined;
  }

  return { read, markedName };
}
