import { describe, expect, it, test } from "vitest";
import { writeProject } from "../../../test/fixtures/project.ts";
import type { KeyholeError } from "../../errors.ts";
import { loadConfig } from "../load.ts";

async function load(privacy: unknown, trust = true) {
  const dir = await writeProject({ "keyhole.config.json": { privacy } });
  return loadConfig({ projectDir: dir, homeDir: dir, env: {}, ...(trust ? { trust } : {}) });
}

async function problemOf(privacy: unknown): Promise<KeyholeError> {
  return load(privacy).then(
    () => {
      throw new Error("The config was accepted");
    },
    (error) => error,
  );
}

test.each([
  [{ classes: { EMIAL: "keep" } }, 'key "privacy.classes.EMIAL" is not known, did you mean "EMAIL"?'],
  [{ classes: { email: "keep" } }, 'key "privacy.classes.email" is not known, did you mean "EMAIL"?'],
  [
    { classes: { NAME: "keeep" } },
    'key "privacy.classes.NAME" must be one of "keep", "tokenise", "mask", "block"',
  ],
  [
    { servers: { crm: { reveal: ["PHONES"] } } },
    `key "privacy.servers.crm.reveal[0]" can't be "PHONES", did you mean "PHONE"?`,
  ],
  [
    { servers: { crm: { tools: { "send_*": { parameters: { to: ["e-mail"] } } } } } },
    'did you mean "EMAIL"?',
  ],
  [{ servers: { crm: { classes: { ZIP: "keep" } } } }, 'key "privacy.servers.crm.classes.ZIP" is not known'],
  [{ servers: { crm: { revael: [] } } }, 'did you mean "reveal"?'],
  [{ servers: { "crm?": {} } }, 'must be a name in which "*" stands for any part of it'],
  [{ mode: "edge" }, 'key "privacy.mode" must be one of "egress", "boundary"'],
  [{ region: "UK" }, 'must be a country of two letters such as "US" or "GB"'],
  [{ region: "usa" }, "must be a country of two letters"],
  [
    { presidio: { url: "http://example.com" } },
    "must be an https address without a password, or http on this machine",
  ],
  [{ presidio: { url: "https://a:b@example.com" } }, "must be an https address without a password"],
])("%j is refused", async (privacy, text) => {
  const { message, code } = await problemOf(privacy);
  expect(code).toBe("config_invalid");
  expect(message).toContain(text);
});

it("takes everything that is documented", async () => {
  const privacy = {
    mode: "boundary",
    classes: { EMAIL: "tokenise", IP: "keep", SSN: "block", PHONE: "mask" },
    servers: {
      crm: {
        reveal: ["EMAIL"],
        classes: { NAME: "keep" },
        tools: { "send_*": { reveal: [], parameters: { to: ["EMAIL"] } } },
      },
    },
    region: "GB",
    helpers: false,
    names: "compromise",
  };
  expect((await load(privacy)).config.privacy).toEqual(privacy);
  expect((await load(null)).config.privacy).toBeNull();
});

it("tells of a server that is not there", async () => {
  expect((await load({ servers: { crm: { reveal: [] } } })).notices.join("\n")).toContain(
    '"privacy.servers" names server "crm", which is not there',
  );
});

describe("a folder that nobody has trusted", () => {
  it("is asked about with what it would make looser", async () => {
    const { brought } = await load(
      {
        mode: "egress",
        helpers: true,
        classes: { EMAIL: "keep", DATE: "tokenise", SSN: "block", API_KEY: "keep" },
        servers: { crm: { classes: { NAME: "keep", IP: "mask" } } },
      },
      false,
    );
    expect(brought[0]?.remarks).toEqual([
      'makes looser: privacy.classes.EMAIL is "keep"',
      "makes looser: programs compute on personal values (privacy.mode)",
      'makes looser: NAME of "crm" is not concealed',
      "privacy.classes.API_KEY is not obeyed: it counts in your own config alone",
    ]);
  });
});
