import { readFileSync } from "node:fs";
import type { Accelerator } from "./qemu.ts";

/**
 * What may run machines here, the fastest first. KVM's device can be there without KVM behind it, so that of the processor is asked;
 * and what it is worth is seen by the first boot.
 */
export function possibleAccelerators(): readonly Accelerator[] {
  try {
    return /^flags\s*:.*\b(vmx|svm)\b/m.test(readFileSync("/proc/cpuinfo", "latin1"))
      ? ["kvm", "tcg"]
      : ["tcg"];
  } catch {
    return ["tcg"];
  }
}
