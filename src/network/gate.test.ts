import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindOfAddress, toAddress } from "./address-kinds.ts";
import type { WebProtocol } from "./connection.ts";
import { createGate } from "./gate.ts";
import { parseAuthority, parseHost } from "./host-name.ts";
import { parseDenyRule, parseHostRule } from "./rules.ts";

const gateOf = (allow: string[], deny: string[] = []) =>
  createGate(
    allow.map((text) => parseHostRule(text) ?? expect.fail(text)),
    deny.map((text) => parseDenyRule(text) ?? expect.fail(text)),
  );

function target(host: string, port = 443, protocol: WebProtocol = "https") {
  return { host: parseHost(host) ?? expect.fail(host), port, protocol };
}

const refusal = (work: () => unknown) => {
  try {
    work();
    return "allowed";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe("addresses", () => {
  it.each([
    ["127.0.0.1", "loopback"],
    ["127.127.127.127", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:7f00:1", "loopback"],
    ["0:0:0:0:0:ffff:10.1.2.3", "private"],
    ["10.0.0.5", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fc00::1", "private"],
    ["fdff::1", "private"],
    ["169.254.169.254", "metadata"],
    ["::ffff:169.254.169.254", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["100.100.100.200", "metadata"],
    ["168.63.129.16", "metadata"],
    ["192.0.0.192", "metadata"],
    ["169.254.1.1", "link-local"],
    ["fe80::1", "link-local"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["::", "unspecified"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.250", "multicast"],
    ["ff02::1", "multicast"],
    ["64:ff9b::7f00:1", "NAT64"],
    ["64:ff9b::8.8.8.8", "NAT64"],
    ["64:ff9b:1::1", "NAT64"],
    ["2002:7f00:1::", "6to4"],
    ["2001:0:1::1", "Teredo"],
    ["::127.0.0.1", "IPv4"],
    ["192.88.99.1", "6to4"],
    ["192.0.2.1", "documentation"],
    ["2001:db8::1", "documentation"],
    ["198.18.0.1", "test"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["fec0::1", "reserved"],
    ["100::1", "reserved"],
    ["4000::1", "reserved"],
  ])("%s is %s", (text, kind) => {
    expect(kindOfAddress(toAddress(text) ?? "")?.name).toContain(kind);
  });

  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "93.184.215.14",
    "172.32.0.1",
    "172.15.255.255",
    "11.0.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::200e",
  ])("%s is a public one", (text) => {
    expect(kindOfAddress(toAddress(text) ?? "")).toBeUndefined();
  });

  it("of this machine's own are none that a program may take for public", () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of own) {
      const plain = toAddress(address.replace(/%.*/, ""));
      if (plain !== undefined) expect([plain, kindOfAddress(plain)]).not.toEqual([plain, undefined]);
    }
  });

  it("have one kind however they are written within IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(toAddress(`::ffff:${address}`)).toBe(address);
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        expect(toAddress(`::ffff:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`)).toBe(
          address,
        );
      }),
    );
  });
});

describe("a host on the wire", () => {
  it.each([
    ["127.1", "127.0.0.1"],
    ["127.0.1", "127.0.0.1"],
    ["0177.0.0.1", "127.0.0.1"],
    ["0x7f.0.0.1", "127.0.0.1"],
    ["0x7f000001", "127.0.0.1"],
    ["017700000001", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["0", "0.0.0.0"],
    ["[::1]", "::1"],
    ["[0000::1]", "::1"],
    ["[::ffff:127.0.0.1]", "127.0.0.1"],
    ["LOCALHOST", "localhost"],
    ["localhost.", "localhost"],
    ["API.Example.COM.", "api.example.com"],
  ])("%s is %s", (written, name) => {
    expect(parseHost(written)?.name).toBe(name);
  });

  it.each([
    ...[
      "",
      ".",
      "..",
      "a..b",
      "256.256.256.256",
      "1.2.3.4.5",
      "0x1.0x2.0x3.0x4.0x5",
      "[::1%25eth0]",
      "[fe80::1%eth0]",
      "[::1",
      "::1]",
    ],
    ...[
      "a b",
      "a\tb",
      "a\r\nHost:b",
      "a%2eb",
      "%31%32%37.0.0.1",
      "①②⑦.0.0.1",
      "a@b",
      "a/b",
      "a\\b",
      "a#b",
      "a?b",
      "*.a",
      `${"a".repeat(64)}.com`,
    ],
    `${"abcdefgh.".repeat(29)}com`,
  ])("%j is none", (written) => {
    expect(parseHost(written)).toBeUndefined();
  });

  it("never is anything but a plain name or an address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webAuthority(), fc.string({ unit: "binary" })), (text) => {
        const { host } = parseAuthority(text) ?? {};
        if (!host) return;
        expect(host.name).toMatch(host.isAddress ? /^[0-9a-f.:]+$/ : /^[a-z0-9._-]+$/);
        if (!host.isAddress) expect(/^[0-9.]+$|^0x/.test(host.name.split(".").at(-1) ?? "")).toBe(false);
      }),
    );
  });
});

describe("network.allow", () => {
  it.each([
    [["api.example.com"], target("api.example.com"), "allowed"],
    [["api.example.com"], target("api.example.com", 80, "http"), "allowed"],
    [["api.example.com"], target("api.example.com", 80, "https"), "not https on port 80"],
    [["api.example.com"], target("api.example.com", 443, "http"), "not http on port 443"],
    [["api.example.com"], target("api.example.com", 25), "not https on port 25"],
    [["api.example.com"], target("evil.com"), 'does not name "evil.com"'],
    [["api.example.com"], target("api.example.com.evil.com"), "does not name"],
    [["api.example.com"], target("xapi.example.com"), "does not name"],
    [["api.example.com"], target("example.com"), "does not name"],
    [["*.example.org:443"], target("a.b.example.org"), "allowed"],
    [["*.example.org:443"], target("example.org"), "does not name"],
    [["*.example.org:443"], target("evilexample.org"), "does not name"],
    [["*.example.org:443"], target("a.example.org", 443, "http"), "not http on port 443"],
    [["https://api.example.com:8443"], target("api.example.com", 8443, "https"), "allowed"],
    [["https://api.example.com:8443"], target("api.example.com", 8443, "http"), "not http on port 8443"],
    [
      ["https://api.example.com"],
      target("api.example.com", 80, "http"),
      "https on port 443, not http on port 80",
    ],
    [["api.example.com:8080"], target("api.example.com", 8080, "http"), "allowed"],
    [["bücher.example"], target("xn--bcher-kva.example"), "allowed"],
    [["API.Example.com."], target("api.example.com"), "allowed"],
    [["127.0.0.1:3000"], target("127.1", 3000, "http"), "allowed"],
    [["[::1]:3000"], target("[0:0::1]", 3000, "http"), "allowed"],
  ])("%j and %j: %s", (allow, wanted, outcome) => {
    expect(refusal(() => gateOf(allow).admit(wanted))).toContain(outcome);
  });

  it.each([
    "",
    "*",
    "*.com",
    "*.127.0.0.1",
    "a.*.com",
    "https://",
    "ftp://a.com",
    "a.com/path",
    "a.com:0",
    "a.com:99999",
    "a@b.com",
    "a b.com",
    "10.0.0.0/8",
  ])("takes no %j", (text) => {
    expect(parseHostRule(text)).toBeUndefined();
  });

  it("lets a private address through only when it is named itself, with its port", () => {
    const wanted = target("inner.example", 8080, "http");
    const admit = (allow: string[], deny: string[] = []) =>
      refusal(() => gateOf(["inner.example:8080", ...allow], deny).admitAddresses(wanted, ["10.0.0.5"]));
    expect(admit([])).toContain('"inner.example" leads to 10.0.0.5, which is a private address');
    expect(admit(["10.0.0.5:8081"])).toContain("network.allow has to name 10.0.0.5 itself");
    expect(admit(["10.0.0.6:8080"])).toContain("has to name");
    expect(admit(["10.0.0.5:8080"])).toBe("allowed");
    expect(admit(["10.0.0.5:8080"], ["10.0.0.0/8"])).toContain('is within "10.0.0.0/8" of network.deny');
  });

  it("lets no metadata, link-local, multicast or translated address through, named or not", () => {
    for (const address of [
      "169.254.169.254",
      "169.254.0.7",
      "224.0.0.1",
      "64:ff9b::1",
      "2002:7f00:1::",
      "0.0.0.0",
    ]) {
      const written = address.includes(":") ? `[${address}]` : address;
      const gate = gateOf([`${written}:80`]);
      expect(refusal(() => gate.admitAddresses(target(written, 80, "http"), [address]))).toContain(
        "programs never get there",
      );
    }
  });

  it("takes localhost for the loopback addresses, and for no other", () => {
    const gate = gateOf(["localhost:3000"]);
    const wanted = target("localhost", 3000, "http");
    expect(refusal(() => gate.admitAddresses(wanted, ["127.0.0.1", "::1"]))).toBe("allowed");
    expect(refusal(() => gate.admitAddresses(wanted, ["127.0.0.2"]))).toContain("loopback");
    expect(refusal(() => gate.admit(target("x.localhost", 3000, "http")))).toContain("does not name");
  });
});

describe("network.deny", () => {
  it("is stronger than allow, by name and by address", () => {
    const gate = gateOf(["*.example.org"], ["secret.example.org", "8.8.8.0/24", "2606:4700::/32"]);
    expect(refusal(() => gate.admit(target("secret.example.org")))).toBe(
      'network.deny has "secret.example.org"',
    );
    expect(refusal(() => gate.admit(target("open.example.org")))).toBe("allowed");
    const wanted = target("open.example.org");
    expect(refusal(() => gate.admitAddresses(wanted, ["1.1.1.1", "8.8.8.8"]))).toContain(
      'within "8.8.8.0/24"',
    );
    expect(refusal(() => gate.admitAddresses(wanted, ["2606:4700::1"]))).toContain("network.deny");
    expect(refusal(() => gate.admitAddresses(wanted, ["1.1.1.1", "2a00:1450::1"]))).toBe("allowed");
  });

  it.each([
    ...["45.45.45.2:80", "http://45.45.45.2", "0x2d.45.45.2", "757935362", "45.45.45.2."],
    ...["::ffff:45.45.45.2", "::ffff:45.45.45.0/120", "45.45.45.2/24", "[::ffff:45.45.45.2]:80"],
    ...["[2606:4700::1]", "[2606:4700::1]:80", "http://[2606:4700::1]:80", "2606:4700:0:0::1"],
  ])("holds for names that lead to an address, written %s", (text) => {
    const gate = gateOf(["good.example"], [text]);
    const wanted = target("good.example", 80, "http");
    const address = text.includes("2606") ? "2606:4700::1" : "45.45.45.2";
    expect(refusal(() => gate.admitAddresses(wanted, ["1.1.1.1", address]))).toContain("network.deny");
    expect(refusal(() => gate.admitAddresses(wanted, ["1.1.1.1"]))).toBe("allowed");
  });

  it("holds for the port that an address is written with, and no other", () => {
    const gate = gateOf(["good.example", "good.example:8080"], ["45.45.45.2:8080"]);
    const at = (port: number) =>
      refusal(() => gate.admitAddresses(target("good.example", port, "http"), ["45.45.45.2"]));
    expect(at(8080)).toContain('"45.45.45.2:8080" of network.deny');
    expect(at(80)).toBe("allowed");
  });

  it.each([
    "45.45.45.*",
    "45.45.45",
    "10.0:80",
    "45.45.0.0/16:80",
    "[45.45.45.2]",
    "*.45.45.45.2",
    "10.0.0.0/8/8",
    "10.0.0.0/33",
    "http://10.0.0.0/8",
  ])("takes no entry that would hold for nothing: %s", (text) => expect(parseDenyRule(text)).toBeUndefined());
});
