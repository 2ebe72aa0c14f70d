import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { onCleanup } from "../../../test/fixtures/project.ts";
import { createFindFurther } from "./further.ts";

/** Answers as Presidio's analyzer does: each "Quorra" is a person. */
async function startAnalyzer(status = 200): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { text } = JSON.parse(body) as { text: string };
    const found = [...text.matchAll(/Quorra/g)].map(({ index }) => ({
      entity_type: "PERSON",
      start: index,
      end: index + "Quorra".length,
      score: 0.9,
    }));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const presidioAt = (url: string) =>
  createFindFurther({ presidio: { url, timeoutMs: 2_000 }, names: "lists" });

it("asks nobody unless the config says so", () => {
  expect(createFindFurther({ presidio: undefined, names: "lists" })).toBeUndefined();
});

it("has the service look at the sentences of a value, and at nothing else", async () => {
  const find = presidioAt(await startAnalyzer());
  const value = { note: "A call from Quorra about it", code: "Quorra", more: ["and Quorra once more"] };
  expect(await find?.(value)).toEqual([
    { class: "NAME", value: "Quorra" },
    { class: "NAME", value: "Quorra" },
  ]);
});

it("fails where the service does: nothing that it should have seen goes on", async () => {
  const find = presidioAt(await startAnalyzer(500));
  await expect(find?.({ note: "A call from Quorra about it" })).rejects.toThrow();
});

it("has names looked for by compromise where that is asked for", async () => {
  const find = createFindFurther({ presidio: undefined, names: "compromise" });
  const found = await find?.({ note: "Yesterday Barbara Smith wrote to the office." });
  expect(found).toContainEqual({ class: "NAME", value: "Barbara Smith" });
});
