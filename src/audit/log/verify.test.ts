import "../../../test/property-seed.ts";
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack, makeWholeLog, verifyCopy } from "../../../test/fixtures/audit/attacked-log.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { toKeyId } from "../../store/ed25519.ts";
import { CHAIN_START, toChainHash, toLeaf } from "./chain.ts";
import { toRoot } from "./merkle.ts";
import type { ProblemKind } from "./problems.ts";
import { toCheckpointText, toEndorsedText } from "./signed-texts.ts";

let dir: string;
let whole: Awaited<ReturnType<typeof makeWholeLog>>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
  whole = await makeWholeLog(dir);
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

const attacked = (work: (db: Database) => void | Promise<void>) => attack(whole, join(dir, "copy.db"), work);
const run = (...statements: string[]) =>
  attacked((db) => {
    for (const statement of statements) db.exec(statement);
  });

const TABLES = ["events", "event_columns", "checkpoints", "log_keys", "spools"] as const;

describe("a log that nobody changed", () => {
  it("is whole", async () => {
    expect(await attacked(() => {})).toMatchObject({ ok: true, problems: [], pruned: 4, unreadable: 0 });
  });

  it("is whole for an auditor who was given its first key alone", async () => {
    const [first] = await whole.log.keys.known();
    const copy = join(dir, "copy.db");
    const keys = { ...whole.log.keys, known: async () => (first === undefined ? [] : [first]) };
    expect(await verifyCopy({ ...whole.log, keys }, copy)).toMatchObject({ ok: true });
  });
});

/** Where a cell has something, one bit of it is turned; where it has nothing, something is put. */
function turnBit(db: Database, table: string, place: { row: number; column: number; bit: number }): void {
  const [[rows] = []] = db.all(`SELECT count(*) FROM ${table}`);
  const columns = db.all(`SELECT name FROM pragma_table_info('${table}')`).map(([name]) => String(name));
  const column = columns[place.column % columns.length] ?? "";
  const key = columns[0] ?? "";
  const [[id, kind, bytes] = []] = db.all(
    `SELECT CAST(${key} AS BLOB), typeof(${column}), CAST(${column} AS BLOB) FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET ?`,
    [place.row % Number(rows)],
  );
  const where = `CAST(${key} AS BLOB) = x'${toBuffer(id).toString("hex")}'`;
  if (kind === "null") {
    const isNumber = table === "event_columns" && column === "risk";
    const value = isNumber ? "1" : column === "endorsement" ? "x'00'" : "'x'";
    db.exec(`UPDATE ${table} SET ${column} = ${value} WHERE ${where}`);
  } else if (kind === "integer") {
    const bit = 2n ** BigInt(place.bit % 40);
    const turned = BigInt(toBuffer(bytes).toString("utf8")) ^ bit;
    db.exec(`UPDATE ${table} SET ${column} = ${turned} WHERE ${where}`);
  } else {
    const turned = Buffer.from(toBuffer(bytes));
    const at = place.bit % (turned.length * 8);
    turned[at >> 3] = (turned[at >> 3] ?? 0) ^ (1 << (at & 7));
    const value = `x'${turned.toString("hex")}'`;
    db.exec(
      `UPDATE ${table} SET ${column} = ${kind === "text" ? `CAST(${value} AS TEXT)` : value} WHERE ${where}`,
    );
  }
}

const toBuffer = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0));

describe("whoever can write the database", () => {
  it("can't turn a single bit of any table", async () => {
    const place = fc.record({ row: fc.nat(100_000), column: fc.nat(100), bit: fc.nat(100_000) });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TABLES), place, async (table, where) => {
        let isDone = true;
        const { ok } = await attacked((db) => {
          try {
            turnBit(db, table, where);
          } catch {
            // Two rows can't have one sequence.
            isDone = false;
          }
        });
        fc.pre(isDone);
        expect(ok).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it("can't remove, exchange or insert events, wherever they are", async () => {
    const { sequence: end = 0 } = (await whole.log.remembered.read()).head ?? {};
    const place = fc.integer({ min: 1, max: end });
    await fc.assert(
      fc.asyncProperty(place, place, fc.constantFrom(...MOVES), async (one, other, [name, move]) => {
        fc.pre(one !== other);
        const [a, b] = [Math.min(one, other), Math.max(one, other)];
        const { ok, problems } = await run(...move(a, b));
        expect(ok).toBe(false);
        if (name === "exchanged") expect(problems.map(({ kind }) => kind)).toContain("reordered");
        if (name === "removed")
          expect(problems).toContainEqual(expect.objectContaining({ kind: "removed", sequence: a }));
      }),
      { numRuns: 40 },
    );
  });

  it("is told which event it was", async () => {
    const cases: [kind: ProblemKind, sequence: number, ...statements: string[]][] = [
      ["changed", 7, "UPDATE events SET body = replace(body, '2.1.0', '2.1.1') WHERE sequence = 7"],
      ["changed", 8, "UPDATE events SET leaf = zeroblob(32) WHERE sequence = 8"],
      ["changed", 9, "UPDATE events SET hash = zeroblob(31) WHERE sequence = 9"],
      ["column_changed", 10, "UPDATE event_columns SET principal = 'mallory' WHERE sequence = 10"],
      ["column_changed", 11, "DELETE FROM event_columns WHERE sequence = 11"],
      [
        "column_changed",
        4,
        "INSERT INTO event_columns SELECT 4, id, at, action, outcome, session, principal, client, run, call, server, tool, risk FROM event_columns WHERE sequence = 6",
      ],
      [
        "pruned",
        12,
        "UPDATE events SET body = NULL WHERE sequence = 12",
        "DELETE FROM event_columns WHERE sequence = 12",
      ],
      [
        "removed",
        13,
        "DELETE FROM events WHERE sequence IN (13, 14)",
        "DELETE FROM event_columns WHERE sequence IN (13, 14)",
      ],
    ];
    for (const [kind, sequence, ...statements] of cases) {
      const { problems } = await run(...statements);
      expect(problems, statements.join()).toContainEqual(expect.objectContaining({ kind, sequence }));
    }
  });

  it("can't hide what they can't read: texts that are none, and the rest after a zero", async () => {
    for (const value of [
      "CAST(CAST(body AS BLOB) || x'ff' AS TEXT)",
      "body || char(0) || 'more'",
      "body || char(10)",
    ]) {
      const { problems } = await run(`UPDATE events SET body = ${value} WHERE sequence = 30`);
      expect(problems, value).toContainEqual(expect.objectContaining({ kind: "changed", sequence: 30 }));
    }
    for (const column of ["id", "session", "tool"]) {
      const { ok } = await run(
        `UPDATE event_columns SET ${column} = CAST(x'61ff' AS TEXT) WHERE sequence = 30`,
      );
      expect(ok).toBe(false);
    }
    for (const cell of ["log_keys SET previous", "checkpoints SET key", "spools SET spool"])
      expect(await run(`UPDATE OR IGNORE ${cell} = CAST(x'61ff' AS TEXT)`)).toMatchObject({ ok: false });
  });

  it("can't cut off the end, whole checkpoints with it", async () => {
    for (const cut of ["sequence > (SELECT min(sequence) FROM checkpoints)", "sequence >= 1"]) {
      const { problems } = await run(
        ...["events", "event_columns", "checkpoints"].map((table) => `DELETE FROM ${table} WHERE ${cut}`),
      );
      expect(problems.map(({ kind }) => kind)).toContain("truncated");
    }
    const { problems } = await run("DELETE FROM events WHERE sequence = (SELECT max(sequence) FROM events)");
    expect(problems.map(({ kind }) => kind)).toContain("truncated");
  });

  it("can't write the log anew from some event on, with hashes and roots that are right", async () => {
    for (const from of [2, 30, 60]) {
      const { problems } = await attacked((db) => rewrite(db, from));
      expect(problems).toContainEqual(expect.objectContaining({ kind: "checkpoint" }));
    }
  });

  it("can't sign with a key of their own, whatever it says of itself", async () => {
    const isEndorsed = [true, false];
    for (const claims of isEndorsed) {
      const { problems } = await attacked((db) => {
        rewrite(db, 30);
        signAnew(db, claims);
      });
      expect(problems).toContainEqual(expect.objectContaining({ kind: "key" }));
      expect(problems).toContainEqual(expect.objectContaining({ kind: "checkpoint" }));
    }
  });

  it("can't remove a checkpoint or a key, nor bring an old one back", async () => {
    for (const statement of [
      "DELETE FROM checkpoints WHERE sequence = (SELECT min(sequence) FROM checkpoints)",
      "DELETE FROM checkpoints WHERE sequence = (SELECT max(sequence) FROM checkpoints)",
      "DELETE FROM log_keys WHERE previous IS NULL",
      "DELETE FROM log_keys WHERE previous IS NOT NULL",
      "INSERT INTO checkpoints SELECT sequence - 1, first, at, hash, root, key, signature FROM checkpoints ORDER BY sequence LIMIT 1",
    ])
      expect(await run(statement), statement).toMatchObject({ ok: false });
  });

  it("can't keep it from an end, by more bytes than are read", async () => {
    const many = `zeroblob(${40 * 1024 * 1024})`;
    // Six in JSON, each.
    const control = `replace(hex(zeroblob(${90 * 1024 * 1024})), '00', char(1))`;
    for (const [statement, kind] of [
      [`UPDATE events SET leaf = ${many} WHERE sequence = 7`, "changed"],
      [`UPDATE events SET hash = ${many} WHERE sequence = 7`, "changed"],
      [`UPDATE events SET body = hex(${many}) WHERE sequence = 7`, "changed"],
      [`UPDATE event_columns SET tool = ${control} WHERE sequence = 7`, "column_changed"],
    ] as const) {
      const { problems } = await run(statement);
      expect(problems, statement).toContainEqual(expect.objectContaining({ kind, sequence: 7 }));
    }
  });

  it("can't keep it from an end, by more rows than are looked at", async () => {
    const many = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 300)";
    const statements = [
      `${many} INSERT INTO checkpoints SELECT x + 1000, x + 1000, at, hash, root, key, signature FROM c, (SELECT * FROM checkpoints LIMIT 1)`,
      `${many} INSERT INTO spools SELECT 'planted' || x, bytes, sequence, proof FROM c, (SELECT * FROM spools LIMIT 1)`,
    ];
    for (const [index, kind] of (["checkpoint", "spool"] as const).entries()) {
      const { problems, problemCount } = await run(statements[index] ?? "");
      expect(problems).toContainEqual(expect.objectContaining({ kind }));
      expect(problemCount).toBeLessThan(250);
    }
  });

  it("can't keep it from an end, by a sequence behind which nobody can count", async () => {
    for (const sequence of ["9007199254740991", "9007199254740992", "9223372036854775807"]) {
      const { problems } = await run(
        `INSERT INTO events VALUES (${sequence}, '{}', zeroblob(32), zeroblob(32))`,
        `INSERT INTO checkpoints SELECT ${sequence}, first, at, hash, root, key, signature FROM checkpoints LIMIT 1`,
        "INSERT INTO checkpoints SELECT 9007199254740994, first, at, hash, root, key, signature FROM checkpoints LIMIT 1",
      );
      const kinds = problems.map(({ kind }) => kind);
      expect(kinds).toContain("checkpoint");
      expect(kinds).toContain(sequence === "9007199254740991" ? "removed" : "inserted");
    }
  });

  it("can't add rows outside of the chain, nor anything that acts on it", async () => {
    for (const statement of [
      "INSERT INTO events SELECT 0, body, leaf, hash FROM events WHERE sequence = 1",
      "INSERT INTO event_columns SELECT -1, id, at, action, outcome, session, principal, client, run, call, server, tool, risk FROM event_columns WHERE sequence = 6",
      "INSERT INTO spools SELECT 'four', bytes, sequence, proof FROM spools LIMIT 1",
    ])
      expect(await run(statement), statement).toMatchObject({ ok: false });
    for (const statement of [
      "CREATE TABLE more (x)",
      "CREATE VIEW more AS SELECT 1",
      "CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM events WHERE sequence = 1; END",
      "DROP INDEX event_columns_run",
    ])
      await expect(run(statement), statement).rejects.toThrow("other tables than Keyhole's");
  });
});

type Move = (a: number, b: number) => string[];

const BOTH = ["events", "event_columns"];
const FAR = 1_000_000;

const MOVES: readonly (readonly [name: string, move: Move])[] = [
  ["removed", (a) => BOTH.map((table) => `DELETE FROM ${table} WHERE sequence = ${a}`)],
  [
    "removed, and closed up",
    (a) =>
      BOTH.flatMap((table) => [
        `DELETE FROM ${table} WHERE sequence = ${a}`,
        `UPDATE ${table} SET sequence = -sequence WHERE sequence > ${a}`,
        `UPDATE ${table} SET sequence = -sequence - 1 WHERE sequence < 0`,
      ]),
  ],
  [
    "exchanged",
    (a, b) =>
      BOTH.flatMap((table) => [
        `UPDATE ${table} SET sequence = ${FAR} WHERE sequence = ${a}`,
        `UPDATE ${table} SET sequence = ${a} WHERE sequence = ${b}`,
        `UPDATE ${table} SET sequence = ${b} WHERE sequence = ${FAR}`,
      ]),
  ],
  [
    "inserted",
    (a, b) =>
      BOTH.flatMap((table) => [
        `UPDATE ${table} SET sequence = -sequence WHERE sequence >= ${a}`,
        `UPDATE ${table} SET sequence = 1 - sequence WHERE sequence < 0`,
        `CREATE TEMP TABLE copy AS SELECT * FROM ${table} WHERE sequence = ${b}`,
        `UPDATE copy SET sequence = ${a}`,
        `INSERT INTO ${table} SELECT * FROM copy`,
        "DROP TABLE copy",
      ]),
  ],
];

/** All hashes from an event on, and the roots, as they would be. */
function rewrite(db: Database, from: number): void {
  db.run("UPDATE events SET body = replace(body, 'ana', 'eve') WHERE sequence >= ? AND body IS NOT NULL", [
    from,
  ]);
  db.run("UPDATE event_columns SET principal = replace(principal, 'ana', 'eve') WHERE sequence >= ?", [from]);
  // So that something is different in any case.
  db.run("UPDATE events SET body = body || ' ' WHERE sequence >= ? AND body IS NOT NULL", [from]);
  let hash: Uint8Array = CHAIN_START;
  const leaves: Uint8Array[] = [];
  for (const [sequence, body, stored] of db.all(
    "SELECT sequence, body, leaf FROM events ORDER BY sequence",
  )) {
    const leaf = typeof body === "string" ? toLeaf(body) : toBuffer(stored);
    hash = toChainHash(hash, leaf);
    leaves.push(leaf);
    db.run("UPDATE events SET leaf = ?, hash = ? WHERE sequence = ?", [leaf, hash, Number(sequence)]);
    db.run("UPDATE checkpoints SET hash = ? WHERE sequence = ?", [hash, Number(sequence)]);
  }
  for (const [sequence, first] of db.all("SELECT sequence, first FROM checkpoints"))
    db.run("UPDATE checkpoints SET root = ? WHERE sequence = ?", [
      toRoot(leaves.slice(Number(first) - 1, Number(sequence))),
      Number(sequence),
    ]);
}

/** By a key that says that the log's last one endorsed it, or that endorses itself. */
function signAnew(db: Database, claimsEndorsement: boolean): void {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const bytes = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const [[last] = []] = db.all("SELECT key FROM log_keys ORDER BY since DESC LIMIT 1");
  const row = {
    key: toKeyId(bytes),
    publicKey: bytes,
    since: 1,
    previous: claimsEndorsement ? String(last) : null,
  };
  db.run("INSERT INTO log_keys VALUES (?, ?, ?, ?, ?)", [
    row.key,
    bytes,
    row.since,
    row.previous,
    sign(null, toEndorsedText(row), privateKey),
  ]);
  for (const values of db.all("SELECT sequence, first, at, hash, root FROM checkpoints")) {
    const [sequence, first, at] = values.slice(0, 3).map(Number) as [number, number, number];
    const checkpoint = {
      sequence,
      first,
      at,
      hash: toBuffer(values[3]),
      root: toBuffer(values[4]),
      key: row.key,
    };
    const signature = sign(null, toCheckpointText(whole.log.logId, checkpoint), privateKey);
    db.run("UPDATE checkpoints SET key = ?, signature = ? WHERE sequence = ?", [
      row.key,
      signature,
      sequence,
    ]);
  }
}
