import { describe, expect, it } from "vitest";
import { orderModules } from "./module-order.ts";

const toBytes = (needs: string | undefined) =>
  Buffer.from(`\x7fELF…\0license=GPL\0${needs === undefined ? "" : `depends=${needs}\0`}name=x\0`);

async function order(wanted: readonly string[], files: { readonly [name: string]: string | undefined }) {
  const modules = await orderModules(wanted, async (name) =>
    Object.hasOwn(files, name) ? toBytes(files[name]) : undefined,
  );
  return modules.map(({ name }) => name);
}

describe("a kernel's modules", () => {
  it("come behind those that they need, whichever those are", async () => {
    const wanted = ["virtio", "virtio_ring", "virtio_blk"];
    const blk = "virtio,virtio_ring";
    expect(await order(wanted, { virtio: "", virtio_ring: "virtio", virtio_blk: blk })).toEqual(wanted);
    expect(await order(wanted, { virtio: "virtio_ring", virtio_ring: "", virtio_blk: blk })).toEqual([
      "virtio_ring",
      "virtio",
      "virtio_blk",
    ]);
  });

  it("bring what nobody has named, by any spelling, and leave out what is built in", async () => {
    expect(
      await order(["virtio_console", "virtio_mmio"], {
        virtio_console: "hvc-core,virtio",
        hvc_core: undefined,
      }),
    ).toEqual(["hvc_core", "virtio_console"]);
  });

  it("that need each other are each there once", async () => {
    expect(await order(["a"], { a: "b", b: "a" })).toEqual(["b", "a"]);
  });
});
