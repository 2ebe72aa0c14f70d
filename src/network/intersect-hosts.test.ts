import { describe, expect, it } from "vitest";
import { intersectHosts } from "./intersect-hosts.ts";
import { type HostRule, namesHost, namesPort, parseHostRule, type WebTarget } from "./rules.ts";

describe("intersectHosts", () => {
  it.each<[string, string, string[]]>([
    ["*.example.com", "api.example.com", ["api.example.com"]],
    ["*.example.com", "example.com", []],
    ["*.example.com", "*.api.example.com:8443", []],
    ["*.example.com:8443", "*.api.example.com:8443", ["*.api.example.com:8443"]],
    ["a.org", "https://a.org", ["https://a.org"]],
    ["a.org", "A.org:443", ["A.org:443"]],
    ["a.org:8080", "http://a.org:8080", ["http://a.org:8080"]],
    ["*.a.org:8080", "http://x.a.org:8080", ["http://x.a.org:8080"]],
    ["https://*.a.org", "x.a.org", ["https://x.a.org:443"]],
    ["https://a.org", "http://a.org", []],
    ["a.org:80", "a.org:443", []],
    ["[::1]:3000", "::1:3000", []],
    ["127.0.0.1:3000", "0x7f.1:3000", ["127.0.0.1:3000"]],
    ["a.org", "b.org", []],
    ["*.xample.com", "example.com", []],
  ])("%s and %s", (one, other, both) => {
    expect(intersectHosts([one], [other])).toEqual(both);
    expect(intersectHosts([one], [other]).every((text) => parseHostRule(text) !== undefined)).toBe(true);
  });

  it("names what both name, and nothing else", () => {
    const hosts = ["a.org", "x.a.org", "y.x.a.org", "b.org", "127.0.0.1", "*.a.org", "*.x.a.org"];
    const written = hosts.flatMap((host) =>
      ["", "http://", "https://"].flatMap((protocol) =>
        ["", ":80", ":443", ":8443"].map((port) => `${protocol}${host}${port}`),
      ),
    );
    const targets = ["a.org", "x.a.org", "y.x.a.org", "z.y.x.a.org", "b.org", "127.0.0.1"].flatMap((name) =>
      (["http", "https"] as const).flatMap((protocol) =>
        [80, 443, 8443].map(
          (port): WebTarget => ({ host: { name, isAddress: name === "127.0.0.1" }, protocol, port }),
        ),
      ),
    );
    const parsed = new Map(written.map((text) => [text, parseHostRule(text)]));
    const names = (rule: HostRule | undefined, target: WebTarget) =>
      rule !== undefined && namesHost(rule, target.host) && namesPort(rule, target);
    const wrong: string[] = [];
    for (const one of written)
      for (const other of written) {
        const both = intersectHosts([one], [other]).map(parseHostRule);
        for (const target of targets) {
          const isMeant = names(parsed.get(one), target) && names(parsed.get(other), target);
          if (both.some((rule) => names(rule, target)) !== isMeant)
            wrong.push(`${one} and ${other}: ${target.protocol}://${target.host.name}:${target.port}`);
        }
      }
    expect(wrong).toEqual([]);
  });
});
