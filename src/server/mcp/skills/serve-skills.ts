import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { SKILLS_GET_METHOD, SKILLS_LIST_METHOD } from "@modelcontextprotocol/server/ext/skills";
import { z } from "zod";
import type { OfferedSkill, OfferedSkills } from "../../../engine/skills/offered-skills.ts";
import type { Session } from "../../../session.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { toPromptMessage, toPromptOf } from "./skill-prompt.ts";
import { toResource, toSkillEntry, toUri, URI_TEMPLATE } from "./skill-resource.ts";

const PAGE = 100;
/** An answer is one message, and clients give up on those over 10 MB. */
const MAX_SENT_BYTES = 6_000_000;
/** Of all that is asked for by these, nothing is kept by anybody in between. */
const UNCACHED = { ttlMs: 0, cacheScope: "private" } as const;
const LISTING = { params: z.looseObject({ cursor: z.string().max(1_000).optional() }) };
const GETTING = { params: z.looseObject({ uri: z.string().max(2_000) }) };

/**
 * Skills for clients that know resources, prompts, or the extension for skills: to be read, not to be run. Each client sees what its
 * principal may use.
 * @returns what ends it
 */
export function serveSkills(server: Server, skills: OfferedSkills, { principal }: Session): () => void {
  const list = () => skills.list(principal);

  async function find(name: string): Promise<OfferedSkill | undefined> {
    return (await list()).find((skill) => skill.name === name);
  }

  /** A page is told by the name of its last one: skills come and go between two pages. */
  async function toPage<Shown>(cursor: string | undefined, show: (skill: OfferedSkill) => Shown) {
    const after = (await list()).filter(({ name }) => cursor === undefined || name > cursor);
    const page = after.slice(0, PAGE);
    const last = page.at(-1);
    return {
      shown: page.map(show),
      ...(after.length > PAGE && last !== undefined && { nextCursor: last.name }),
    };
  }

  server.setRequestHandler("resources/list", async ({ params }) => {
    const { shown, ...more } = await toPage(params?.cursor, toResource);
    return { resources: shown, ...more };
  });
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: [{ name: "skill", uriTemplate: URI_TEMPLATE, description: "The files of a skill" }],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    for (const skill of await list()) {
      const file = skill.files.find(({ path }) => toUri(skill.name, path) === uri);
      if (file === undefined) continue;
      const content = file.bytes > MAX_SENT_BYTES ? undefined : await file.read();
      if (content === undefined) break;
      return { contents: [toContents(uri, content)] };
    }
    throw unknown("resource", uri);
  });
  server.setRequestHandler("prompts/list", async ({ params }) => {
    const { shown, ...more } = await toPage(params?.cursor, toPromptOf);
    return { prompts: shown, ...more };
  });
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const skill = await find(params.name);
    if (skill === undefined) throw unknown("prompt", params.name);
    return { description: skill.description, messages: [toPromptMessage(skill, params.arguments ?? {})] };
  });
  server.setRequestHandler(SKILLS_LIST_METHOD, LISTING, async ({ cursor }) => {
    const { shown, ...more } = await toPage(cursor, toSkillEntry);
    return { skills: await Promise.all(shown), ...more, ...UNCACHED };
  });
  server.setRequestHandler(SKILLS_GET_METHOD, GETTING, async ({ uri }) => {
    const skill = (await list()).find(({ name }) => toUri(name, "SKILL.md") === uri);
    if (skill === undefined) throw unknown("skill", uri);
    return { skill: await toSkillEntry(skill), ...UNCACHED };
  });
  return skills.onUpdate(principal, () => {
    // A client that is gone needs no telling.
    for (const send of [server.sendResourceListChanged(), server.sendPromptListChanged()])
      send.catch(() => {});
  });
}

function toContents(uri: string, content: Uint8Array) {
  const mimeType = uri.endsWith(".md") ? "text/markdown" : undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return { uri, mimeType: mimeType ?? "text/plain", text };
  } catch {
    return { uri, mimeType: "application/octet-stream", blob: Buffer.from(content).toString("base64") };
  }
}

function unknown(what: string, name: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no ${what} ${JSON.stringify(toExcerpt(name, 100))}`,
  );
}
