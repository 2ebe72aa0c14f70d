import { expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { toIndexedLengths } from "./indexed-length.ts";

const toServer = (name: string, tools: number, characters: number) =>
  serverRecord(
    name,
    Array.from({ length: tools }, (_, n) =>
      toolRecord({ name: `tool_${n}`, description: "x".repeat(characters) }),
    ),
  );

it("reads 2,000 characters of each description of an ordinary catalogue", () => {
  const servers = Array.from({ length: 20 }, (_, n) => toServer(`s${n}`, 50, 3_000));
  expect(new Set(toIndexedLengths(servers).values())).toEqual(new Set([2_000]));
});

it("reads less of a server that says too much, and no less of the others", () => {
  const [honest, loud] = [toServer("honest", 50, 2_000), toServer("loud", 5_000, 3_000)];
  const lengths = toIndexedLengths([loud, honest]);
  expect(lengths.get(honest)).toBe(2_000);
  expect((lengths.get(loud) ?? 0) * 5_000).toBeLessThanOrEqual(1_000_000);
});

it("bounds what is read of all servers together", () => {
  const servers = Array.from({ length: 12 }, (_, n) => toServer(`s${n}`, 500, 2_000));
  const sum = [...toIndexedLengths(servers).values()].reduce((total, length) => total + 500 * length, 0);
  expect(sum).toBeLessThanOrEqual(3_000_000);
});
