import "../../../test/property-seed.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeWholeLog } from "../../../test/fixtures/audit/attacked-log.ts";
import { toLeaf } from "./chain.ts";
import type { KeyRow, LogStore } from "./log-store.ts";
import { isIncluded, toInclusionPath, toRoot } from "./merkle.ts";
import { checkProof, proveEvent, toProofJson } from "./proof.ts";
import { parseLogId, parsePublicKeys, toPublicKeysText } from "./public-keys.ts";
import { openSqliteLogFile } from "./sqlite-store.ts";

let dir: string;
let store: LogStore;
let logId: string;
let keys: readonly KeyRow[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
  const { log } = await makeWholeLog(dir);
  ({ logId } = log);
  keys = await log.keys.known();
  store = await openSqliteLogFile(join(dir, ".keyhole/audit.db"));
});

afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

const prove = async (id: string) => toProofJson(await proveEvent(store, logId, id));

describe("a proof of one event", () => {
  it("is checked by itself, for each event that has its content", async () => {
    const rows = (await store.rows(1, 1_000)).filter(({ body }) => body !== undefined);
    for (const { columns, sequence } of rows) {
      const check = checkProof(await prove(columns.id), keys);
      expect(check).toMatchObject({ ok: true, sequence, isKeyKnown: true, event: { id: columns.id } });
    }
  });

  it("needs the log's first key alone, and tells when nobody vouches for its key", async () => {
    const text = await prove("e_pruned");
    const [first, second] = keys;
    expect(keys).toHaveLength(2);
    expect(checkProof(text, first === undefined ? [] : [first])).toMatchObject({
      ok: true,
      isKeyKnown: true,
      key: second?.key,
    });
    expect(checkProof(text, [])).toMatchObject({ ok: true, isKeyKnown: false });
  });

  it("does not hold when a letter of it is another one", async () => {
    const text = await prove("e_pruned");
    const known = keys;
    const honest = checkProof(text, known);
    await fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 0, max: 6 }), (at, bit) => {
        const turned = Buffer.from(text);
        turned[at] = (turned[at] ?? 0) ^ (1 << bit);
        const check = checkProof(turned.toString("utf8"), known);
        // Spaces between, and endorsements that nobody needs, say nothing.
        if (check.ok) expect(check).toEqual(honest);
      }),
      { numRuns: 300 },
    );
  });

  it("is refused for what is no proof, and made for no event that is not there", async () => {
    for (const text of ["", "{}", "[", '{"proof":"keyhole audit proof v1"}', "\0".repeat(1000)])
      expect(checkProof(text, keys)).toMatchObject({ ok: false });
    await expect(prove("e_nowhere")).rejects.toThrow('No event "e_nowhere" is in the log');
  });
});

describe("a tree of hashes", () => {
  it("has a way to its root for each leaf, and for no other", () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = Array.from({ length: size }, (_, index) => toLeaf(`${size}.${index}`));
      const root = toRoot(leaves);
      for (const [index, leaf] of leaves.entries()) {
        const path = toInclusionPath(leaves, index);
        expect(isIncluded(leaf, { index, size, path, root })).toBe(true);
        expect(isIncluded(leaf, { index: (index + 1) % size, size, path, root })).toBe(size === 1);
        expect(isIncluded(toLeaf("other"), { index, size, path, root })).toBe(false);
        expect(isIncluded(leaf, { index, size, path: [...path, root], root })).toBe(false);
      }
    }
  });

  it("is that of RFC 6962", () => {
    // From the test vectors of Certificate Transparency.
    const inputs = [
      "",
      "00",
      "10",
      "2021",
      "3031",
      "40414243",
      "5051525354555657",
      "606162636465666768696a6b6c6d6e6f",
    ];
    const leaves = inputs.map((hex) => toLeaf(Buffer.from(hex, "hex").toString("utf8")));
    expect(Buffer.from(toRoot(leaves)).toString("hex")).toBe(
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    );
  });
});

describe("public keys in a text", () => {
  it("are those that were put there", () => {
    const found = parsePublicKeys(toPublicKeysText(keys, logId));
    expect(found.map(({ key }) => key)).toEqual(keys.map(({ key }) => key));
    expect(parseLogId(toPublicKeysText(keys, logId))).toBe(logId);
  });

  it("are refused with what to do, where there are none", () => {
    for (const text of [
      "",
      "-----BEGIN PUBLIC KEY-----\nx",
      "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
    ])
      expect(() => parsePublicKeys(text)).toThrow("The text has");
  });
});
