import { describe, expect, it } from "vitest";
import { ALARM_RULE_NAMES, NOTE_RULE_NAMES } from "../../config/audit/anomaly-rules.ts";
import { toCallMarks } from "./call-marks.ts";
import { toBytesText, toRangeText, toSpanText } from "./figures.ts";
import { createQuantile } from "./quantile.ts";
import { createRecentMap } from "./recent-map.ts";
import { ANOMALY_RULES } from "./rules.ts";
import { isSecretLike } from "./secret-like.ts";
import { createUsual, DAY_MS } from "./usual.ts";

it("has a rule for each name that the config may say, and no other", () => {
  const named = (isQuiet: boolean) =>
    ANOMALY_RULES.filter((rule) => (rule.isQuiet ?? false) === isQuiet).map(({ name }) => name);
  expect([named(false), named(true)]).toEqual([[...ALARM_RULE_NAMES], [...NOTE_RULE_NAMES]]);
});

describe("what is kept", () => {
  it("forgets what was not asked for in a long time, and never holds more than twice its size", () => {
    const map = createRecentMap(10, () => ({ count: 0 }));
    map.of("kept").count = 7;
    for (let index = 0; index < 1_000; index++) {
      map.of(`k${index}`);
      expect(map.of("kept").count).toBe(7);
      expect(map.size).toBeLessThanOrEqual(20);
    }
    expect(map.peek("k0")).toBeUndefined();
    expect(map.peek("k999")).toBeDefined();
  });

  it("knows a quantile of a stream in five numbers, nearly", () => {
    const quantile = createQuantile(0.95);
    for (let index = 0; index < 20_000; index++) quantile.add((index * 7_919) % 1_000);
    expect(quantile.value()).toBeGreaterThan(930);
    expect(quantile.value()).toBeLessThan(970);
    const few = createQuantile(0.5);
    for (const value of [3, 1, 2]) few.add(value);
    expect(few.value()).toBe(2);
  });

  it("speaks of what is usual only after enough of it, on enough days", () => {
    const usual = createUsual(10, 3);
    for (let index = 0; index < 50; index++) usual.add(5, 0);
    expect(usual.isMature()).toBe(false);
    usual.add(5, DAY_MS);
    usual.add(6, 2 * DAY_MS);
    expect(usual.isMature()).toBe(true);
    expect(usual.ceiling(4)).toBeGreaterThanOrEqual(24);
    expect(usual.range()[0]).toBe(5);
  });

  it("writes figures as people read them", () => {
    expect([toBytesText(900), toBytesText(1_234_567), toBytesText(56_000)]).toEqual([
      "900 bytes",
      "1.2 MB",
      "56 KB",
    ]);
    expect(toSpanText(400)).toBe("1 second");
    expect([toRangeText([2, 5]), toRangeText([3, 3]), toSpanText(45_000), toSpanText(7_200_000)]).toEqual([
      "2–5",
      "3",
      "45 seconds",
      "2 hours",
    ]);
  });
});

describe("marks of a call", () => {
  const hash = (text: string) => `h(${text})`;

  it.each([
    "/root/.ssh/id_rsa",
    "~/.aws/credentials",
    ".env",
    "app/.env.production",
    "/etc/shadow",
    "/proc/self/environ",
    "certs/server.key",
    "http://169.254.169.254/latest/meta-data",
    "get_secret",
    "listApiKeys",
    "read-credentials",
  ])("know a place of credentials: %s", (text) => expect(isSecretLike(text)).toBe(true));

  it.each([
    "src/environment.ts",
    "docs/keyboard.md",
    "get_order_details",
    "token-counter.ts",
    "list_tokens_used",
    "a passwordless day",
    "monkey.txt",
    "The secretary wrote to us about the keys of the house, and that was a long letter that went on and on about nothing at all, really",
  ])("know what is none: %s", (text) => expect(isSecretLike(text)).toBe(false));

  it("have the recipient hashed, of an address its host, and nothing else of the arguments", () => {
    const sends = { hash, sends: true };
    expect(toCallMarks("send_email", { to: "A@Example.com", body: "hi" }, sends)).toEqual({
      recipient: "h(a@example.com)",
    });
    expect(toCallMarks("post", { request: { url: "https://x.example/a?b" } }, sends)).toEqual({
      recipient: "h(x.example)",
    });
    expect(toCallMarks("read_file", { path: "~/.ssh/id_rsa" }, { hash, sends: false })).toEqual({
      isSecret: true,
    });
    expect(toCallMarks("read_file", { path: "a.txt" }, { hash, sends: false })).toBeUndefined();
  });

  it("are made of hostile arguments in bounded time", () => {
    const deep: unknown = JSON.parse(`${'{"a":['.repeat(3_000)}1${"]}".repeat(3_000)}`);
    const wide = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`k${index}`, "/".repeat(3_000)]),
    );
    expect(toCallMarks("x", [deep, wide, "a/".repeat(500_000)], { hash, sends: true })).toBeUndefined();
  });
});
