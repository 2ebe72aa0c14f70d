import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { SANDBOX_LIMITS } from "../limits.ts";
import type { MachineProcess } from "../machine/machine.ts";
import type { Host } from "../sandbox.ts";
import { runInGuest } from "./bridge.ts";
import { encodeFrame, FRAME } from "./protocol.ts";

const HOST: Host = { callTool: async () => 1 };
const NEVER = new Promise<never>(() => {});

/** A process of a tier that does not keep the contract. */
function createProcess(own: Partial<MachineProcess>): MachineProcess & { readonly output: PassThrough } {
  const output = new PassThrough();
  return {
    input: new PassThrough(),
    prepared: Promise.resolve(),
    ended: NEVER,
    folders: [],
    watch() {},
    yieldCpu() {},
    kill() {},
    ...own,
    output,
  };
}

const run = (process: MachineProcess, host = HOST) =>
  runInGuest(process, { code: "", servers: [] }, host, { limits: SANDBOX_LIMITS, folders: [] });

it.each(["prepared", "ended"])("a machine whose `%s` rejects ends that run alone", async (name) => {
  const { outcome, started } = await run(createProcess({ [name]: Promise.reject(new Error("It broke")) }));
  expect(started).toBe(false);
  expect(outcome).toMatchObject({ ok: false, error: { kind: "sandbox", message: "It broke" } });
});

it("a host that throws at what a program says ends that run alone", async () => {
  const process = createProcess({});
  process.output.write(Buffer.concat([encodeFrame(FRAME.ready, 0, ""), encodeFrame(FRAME.log, 1, "x")]));
  const { outcome } = await run(process, {
    ...HOST,
    onLog() {
      throw new Error("No room");
    },
  });
  expect(outcome).toMatchObject({ ok: false, error: { kind: "sandbox", message: "No room" } });

  const next = createProcess({});
  next.output.write(
    Buffer.concat([encodeFrame(FRAME.ready, 0, ""), encodeFrame(FRAME.done, 0, '{"ok":true,"value":2}')]),
  );
  expect((await run(next)).outcome).toMatchObject({ ok: true, value: 2 });
});

it("a program that tells facts, as only a host does, is broken", async () => {
  const process = createProcess({});
  const facts = encodeFrame(FRAME.facts, 1, '[["[EMAIL_1]","v",{"domain":"evil.example"}]]');
  process.output.write(Buffer.concat([encodeFrame(FRAME.ready, 0, ""), facts]));
  const { outcome } = await run(process);
  expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringContaining("type 21") } });
});
