import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { findByPresidio } from "./presidio.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A service with the analyzer's API, that answers as it is told. */
async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

const answering = (answer: unknown) => serve((_, response) => response.end(JSON.stringify(answer)));

describe("a service with Presidio's API", () => {
  it("is asked as the analyzer is, and its findings get our classes", async () => {
    let asked = "";
    const url = await serve((request, response) => {
      request.on("data", (chunk) => {
        asked += chunk;
      });
      request.on("end", () => {
        asked = `${request.method} ${request.url} ${asked}`;
        response.end(
          JSON.stringify([
            { entity_type: "PERSON", start: 3, end: 12, score: 0.85 },
            { entity_type: "PHONE_NUMBER", start: 16, end: 20, score: 0.4 },
          ]),
        );
      });
    });
    expect(await findByPresidio(`${url}/`, "hi Anna Berg at 5550", { language: "de" })).toEqual([
      { class: "NAME", start: 3, end: 12, rule: "presidio", confidence: 0.85 },
    ]);
    expect(asked).toBe('POST /analyze {"text":"hi Anna Berg at 5550","language":"de"}');
  });

  it("counts code points, we count UTF-16 units", async () => {
    const url = await answering([{ entity_type: "PERSON", start: 2, end: 6, score: 1 }]);
    const [finding] = await findByPresidio(url, "😀 Anna");
    expect("😀 Anna".slice(finding?.start, finding?.end)).toBe("Anna");
  });

  it("is not believed where it makes no sense", async () => {
    const wrong = [
      { entity_type: "PERSON", start: -1, end: 4, score: 1 },
      { entity_type: "PERSON", start: 4, end: 2, score: 1 },
      { entity_type: "PERSON", start: 0, end: 99, score: 1 },
      { entity_type: "PERSON", start: 0.5, end: 3, score: 1 },
      { entity_type: "PERSON", start: 0, end: 4, score: 7 },
      { entity_type: "PERSON", start: "0", end: 4, score: 1 },
      { entity_type: "constructor", start: 0, end: 4, score: 1 },
      null,
      7,
    ];
    expect(await findByPresidio(await answering(wrong), "some text")).toEqual([]);
    expect(await findByPresidio(await answering(wrong), "some 😀 text")).toEqual([]);
  });

  it.each([
    ["no list", "{}"],
    ["no JSON", "<html>"],
    ["too many findings", JSON.stringify(Array.from({ length: 20_001 }, () => 0))],
    ["too many bytes", " ".repeat(5_000_000)],
  ])("fails with %s", async (_, body) => {
    const url = await serve((__, response) => response.end(body));
    await expect(findByPresidio(url, "text")).rejects.toMatchObject({ code: "server_misbehaved" });
  });

  it("fails with an error status, a redirect and when nobody listens", async () => {
    const broken = await serve((_, response) => response.writeHead(500).end("[]"));
    await expect(findByPresidio(broken, "text")).rejects.toThrow("answered 500");
    const elsewhere = await serve((_, response) =>
      response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
    );
    await expect(findByPresidio(elsewhere, "text")).rejects.toThrow("cannot be reached");
    await expect(findByPresidio("http://127.0.0.1:1", "text")).rejects.toThrow("cannot be reached");
  });

  it("does not wait longer than it may", async () => {
    const url = await serve(() => {});
    await expect(findByPresidio(url, "text", { timeoutMs: 20 })).rejects.toMatchObject({ code: "timeout" });
  });

  it("needs an http address", async () => {
    await expect(findByPresidio("file:///etc/passwd", "text")).rejects.toMatchObject({
      code: "config_invalid",
    });
  });
});
