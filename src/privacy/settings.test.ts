import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir, writeProject } from "../../test/fixtures/project.ts";
import { loadConfig } from "../config/load.ts";
import { acceptBrought } from "../config/trust/accept.ts";
import { KEPT_CLASSES, PII_CLASSES, SECRET_CLASSES } from "../pii-classes.ts";
import { toPrivacySettings } from "./settings.ts";

async function load(project: unknown, user: unknown = {}, trust = true) {
  const home = await tempDir();
  const file = join(home, ".config/keyhole/config.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(user));
  const dir = await writeProject({ "keyhole.config.json": project });
  const places = { projectDir: dir, homeDir: home, env: {}, platform: "linux" as const };
  const read = () => loadConfig({ ...places, ...(trust ? { trust } : {}) });
  return { dir, places, read, loaded: await read() };
}

const settingsOf = async (project: unknown, user: unknown = {}) =>
  toPrivacySettings((await load(project, user)).loaded);

const to = (server: string, tool: string, parameter?: string) => ({
  server,
  tool,
  ...(parameter === undefined ? {} : { parameter }),
});

describe("without a word of it", () => {
  it("personal values and secrets are tokenised, and what tells of nobody is kept", async () => {
    const settings = await settingsOf({});
    for (const kind of [...PII_CLASSES, ...SECRET_CLASSES]) expect(settings.actionOf(kind)).toBe("tokenise");
    for (const kind of KEPT_CLASSES) expect(settings.actionOf(kind)).toBe("keep");
    expect(settings).toMatchObject({ mode: "egress", helpers: true, names: "lists", region: undefined });
    expect(settings.presidio).toBeUndefined();
    expect(settings.reveal("EMAIL", to("crm", "send"))).toBe("default");
    expect(settings.hasRevealRules("crm")).toBe(false);
  });

  it.each([
    ["low", "egress"],
    ["moderate", "egress"],
    ["high", "boundary"],
    ["maximum", "boundary"],
  ])("the mode follows the level: %s, %s", async (securityLevel, mode) => {
    expect((await settingsOf({ securityLevel })).mode).toBe(mode);
  });
});

describe("piiTokenization: false", () => {
  it("keeps personal values, and no secrets", async () => {
    const { actionOf } = await settingsOf({ piiTokenization: false });
    expect([actionOf("EMAIL"), actionOf("DATE")]).toEqual(["keep", "keep"]);
    for (const kind of SECRET_CLASSES) expect(actionOf(kind)).toBe("tokenise");
  });

  it("leaves what is masked or blocked", async () => {
    const { actionOf } = await settingsOf({
      piiTokenization: false,
      privacy: { classes: { SSN: "block", PHONE: "mask", NAME: "tokenise" } },
    });
    expect([actionOf("SSN"), actionOf("PHONE"), actionOf("NAME")]).toEqual(["block", "mask", "keep"]);
  });
});

describe("classes", () => {
  it("of a server go before those of all", async () => {
    const { actionOf } = await settingsOf({
      privacy: {
        classes: { IP: "keep", EMAIL: "mask" },
        servers: { "my-crm": { classes: { EMAIL: "keep" } } },
      },
    });
    expect([actionOf("IP"), actionOf("EMAIL"), actionOf("EMAIL", "mail")]).toEqual(["keep", "mask", "mask"]);
    expect([actionOf("EMAIL", "my-crm"), actionOf("EMAIL", "myCrm"), actionOf("IP", "my-crm")]).toEqual([
      "keep",
      "keep",
      "keep",
    ]);
  });

  it("are the stricter ones of user and project, whatever the other says of all or of one server", async () => {
    const { actionOf } = await settingsOf(
      {
        privacy: { classes: { PHONE: "mask", IP: "keep" }, servers: { crm: { classes: { EMAIL: "keep" } } } },
      },
      {
        privacy: {
          classes: { EMAIL: "block", PHONE: "tokenise" },
          servers: { crm: { classes: { PHONE: "keep" } } },
        },
      },
    );
    expect([actionOf("EMAIL", "crm"), actionOf("PHONE", "crm"), actionOf("PHONE"), actionOf("IP")]).toEqual([
      "block",
      "mask",
      "mask",
      "keep",
    ]);
  });

  it("keep secrets by the user's word alone", async () => {
    const privacy = {
      classes: { API_KEY: "keep" },
      servers: { ci: { classes: { JWT: "keep", PASSWORD: "block" } } },
    };
    const { loaded } = await load({ privacy });
    const { actionOf } = toPrivacySettings(loaded);
    expect([actionOf("API_KEY"), actionOf("JWT", "ci"), actionOf("PASSWORD", "ci")]).toEqual([
      "tokenise",
      "tokenise",
      "block",
    ]);
    const told = loaded.notices.join("\n");
    expect(told).toContain('"privacy.classes.API_KEY" is not obeyed');
    expect(told).toContain('"privacy.servers.ci.classes.JWT" is not obeyed');
    const own = await settingsOf({}, { privacy });
    expect([own.actionOf("API_KEY"), own.actionOf("JWT", "ci")]).toEqual(["keep", "keep"]);
  });
});

describe("reveal", () => {
  const servers = {
    crm: {
      reveal: ["NAME"],
      tools: {
        "*": { reveal: ["PHONE"] },
        "send_*": { reveal: ["EMAIL"], parameters: { body: [] } },
        send_letter: { reveal: ["ADDRESS"] },
      },
    },
    plain: { reveal: ["EMAIL"] },
    quiet: { classes: { IP: "keep" } },
  };

  it("goes by the nearest word: parameter, tool, pattern, server", async () => {
    const { reveal } = await settingsOf({ privacy: { servers } });
    expect(reveal("EMAIL", to("crm", "send_mail", "to"))).toBe("named");
    expect(reveal("EMAIL", { ...to("crm", "x-9"), function: "sendMail" })).toBe("named");
    expect(reveal("EMAIL", to("crm", "send_mail", "body"))).toBe("denied");
    expect(reveal("EMAIL", to("crm", "send_letter"))).toBe("denied");
    expect(reveal("ADDRESS", to("crm", "send_letter", "to"))).toBe("named");
    expect([reveal("PHONE", to("crm", "call")), reveal("NAME", to("crm", "call"))]).toEqual([
      "named",
      "denied",
    ]);
    expect([reveal("EMAIL", to("plain", "x")), reveal("SSN", to("plain", "x"))]).toEqual(["named", "denied"]);
  });

  it("says nothing of servers that have no list", async () => {
    const { reveal, hasRevealRules } = await settingsOf({ privacy: { servers } });
    expect([reveal("SSN", to("quiet", "x")), reveal("SSN", to("other", "x"))]).toEqual([
      "default",
      "default",
    ]);
    expect(["crm", "plain", "quiet", "other"].map(hasRevealRules)).toEqual([true, true, false, false]);
  });

  it("is not for a tool that only looks like the one that is named", async () => {
    const { reveal } = await settingsOf({
      privacy: { servers: { crm: { tools: { send_mail: { reveal: ["EMAIL"] } } } } },
    });
    expect(reveal("EMAIL", to("crm", "send_mail"))).toBe("named");
    expect(reveal("EMAIL", to("crm", "send_maiI"))).toBe("denied");
    expect(reveal("EMAIL", to("crm", "other"))).toBe("denied");
  });

  it("is what user and project both name", async () => {
    const { reveal } = await settingsOf(
      {
        privacy: {
          servers: { crm: { reveal: ["EMAIL", "SSN"], tools: { "*": { reveal: ["SSN", "NAME"] } } } },
        },
      },
      { privacy: { servers: { crm: { reveal: ["EMAIL", "NAME"] } } } },
    );
    expect(["EMAIL", "SSN", "NAME"].map((kind) => reveal(kind as "EMAIL", to("crm", "x")))).toEqual([
      "denied",
      "denied",
      "named",
    ]);
  });
});

describe("of user and project", () => {
  it("the stricter mode and helpers hold", async () => {
    expect((await settingsOf({ privacy: { mode: "egress" } }, { privacy: { mode: "boundary" } })).mode).toBe(
      "boundary",
    );
    expect((await settingsOf({ privacy: { mode: "boundary" } }, { privacy: { mode: "egress" } })).mode).toBe(
      "boundary",
    );
    expect((await settingsOf({ securityLevel: "high", privacy: { mode: "egress" } })).mode).toBe("egress");
    expect((await settingsOf({ privacy: { helpers: true } }, { privacy: { helpers: false } })).helpers).toBe(
      false,
    );
  });

  it("the user alone has texts sent to a service", async () => {
    const presidio = { url: "http://127.0.0.1:5002" };
    const { loaded } = await load({ privacy: { presidio } });
    expect(toPrivacySettings(loaded).presidio).toBeUndefined();
    expect(loaded.notices.join("\n")).toContain('"privacy.presidio" is not obeyed');
    expect((await settingsOf({}, { privacy: { presidio } })).presidio).toEqual({
      ...presidio,
      timeoutMs: 5_000,
    });
  });
});

describe("settings that changed after they were accepted", () => {
  it("can't make anything weaker, and are stricter at once", async () => {
    const accepted = {
      privacy: {
        mode: "boundary",
        classes: { SSN: "block", IP: "keep" },
        servers: { crm: { reveal: ["EMAIL"] } },
      },
    };
    const { dir, places, read, loaded } = await load(accepted, {}, false);
    expect(toPrivacySettings(loaded).actionOf("SSN")).toBe("tokenise");
    await acceptBrought(loaded.brought, places);
    expect(toPrivacySettings(await read()).actionOf("SSN")).toBe("block");
    const written = {
      privacy: {
        mode: "egress",
        classes: { EMAIL: "keep", API_KEY: "keep", PHONE: "mask" },
        servers: { crm: { reveal: ["EMAIL", "SSN"], classes: { NAME: "keep" } } },
      },
    };
    await writeFile(join(dir, "keyhole.config.json"), JSON.stringify(written));
    const { mode, actionOf, reveal } = toPrivacySettings(await read());
    expect(mode).toBe("boundary");
    expect((["SSN", "EMAIL", "API_KEY", "PHONE"] as const).map((kind) => actionOf(kind))).toEqual([
      "block",
      "tokenise",
      "tokenise",
      "mask",
    ]);
    expect([actionOf("IP"), actionOf("NAME", "crm")]).toEqual(["tokenise", "tokenise"]);
    expect([reveal("EMAIL", to("crm", "x")), reveal("SSN", to("crm", "x"))]).toEqual(["named", "denied"]);
  });

  it("can't choose the weaker mode where the level has the stricter one", async () => {
    const { dir, places, read, loaded } = await load({ securityLevel: "high" }, {}, false);
    await acceptBrought(loaded.brought, places);
    await writeFile(
      join(dir, "keyhole.config.json"),
      JSON.stringify({ securityLevel: "high", privacy: { mode: "egress" } }),
    );
    expect(toPrivacySettings(await read()).mode).toBe("boundary");
  });
});
