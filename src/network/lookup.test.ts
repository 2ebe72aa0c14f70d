import { expect, it } from "vitest";
import { createLookup } from "./lookup.ts";

const never = () => new Promise<readonly string[]>(() => {});
const host = (name: string) => ({ name, isAddress: false });
const { signal } = new AbortController();

it("gives a domain whose name servers are silent one chance, so that others are not kept waiting", async () => {
  const asked: string[] = [];
  const lookup = createLookup(async (name) => {
    asked.push(name);
    return name.endsWith("slow.test") ? never() : ["192.0.2.1"];
  }, 30);
  const silent = 'the name servers of "slow.test" do not answer';
  await expect(lookup(host("a.slow.test"), "r_1", signal)).rejects.toThrow(silent);
  await expect(lookup(host("b.slow.test"), "r_2", signal)).rejects.toThrow(silent);
  expect(asked).toEqual(["a.slow.test"]);
  expect(await lookup(host("good.test"), "r_3", signal)).toEqual(["192.0.2.1"]);
});

it("says of a name that waited for others that it was not looked up", async () => {
  const lookup = createLookup(never, 30);
  const all = await Promise.allSettled(
    ["a.first.test", "b.second.test", "c.third.test"].map((name, n) => lookup(host(name), `r_${n}`, signal)),
  );
  expect(all.map((one) => one.status === "rejected" && one.reason.message)).toEqual([
    'the name servers of "first.test" do not answer',
    'the name servers of "second.test" do not answer',
    '"c.third.test" was not looked up: too many others are',
  ]);
});

it("is over when nobody wants it any more", async () => {
  const gone = new AbortController();
  const waiting = createLookup(never)(host("a.one.test"), "r_1", gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow("was not found");
});
