import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { toElf } from "./elf.ts";

const SAMPLES = 3;

/**
 * How many thousand times a second the processor's counter ticks, by which an emulated machine tells the time. What the system says
 * of the processor is its pace of the moment, so it is measured: by a few instructions, since no language of ours reads the counter.
 */
export async function measureClockKhz(dir: string): Promise<number> {
  const program = join(dir, "clock-rate");
  try {
    await writeFile(program, toElf(CODE), { mode: 0o700 });
    const rates: number[] = [];
    for (let n = 0; n < SAMPLES; n++) {
      const { stdout } = await promisify(execFile)(program, { encoding: "buffer", env: {} });
      rates.push(toKhz(stdout));
    }
    return Math.round(rates.sort((a, b) => a - b)[1] ?? 0);
  } catch {
    // A folder from which nothing can be run: the pace of the moment is the next best.
    return (cpus()[0]?.speed || 2_000) * 1000;
  } finally {
    await rm(program, { force: true });
  }
}

/** Twice the time in seconds and nanoseconds, and the counter. */
function toKhz(said: Buffer): number {
  const at = (offset: number) => said.readBigUInt64LE(offset);
  const ns = (at(24) - at(0)) * 1_000_000_000n + at(32) - at(8);
  return (Number(at(40) - at(16)) / Number(ns)) * 1e6;
}

const CODE = Buffer.from(
  [
    "4883ec50", // sub rsp, 80
    "b8e4000000", // mov eax, 228          clock_gettime(CLOCK_MONOTONIC_RAW, rsp)
    "bf04000000", // mov edi, 4
    "4889e6", // mov rsi, rsp
    "0f05", // syscall
    "0f31", // rdtsc
    "89442410", // mov [rsp + 16], eax
    "89542414", // mov [rsp + 20], edx
    "48c744243000000000", // mov qword [rsp + 48], 0
    "48c744243800c2eb0b", // mov qword [rsp + 56], 200000000
    "b823000000", // mov eax, 35           nanosleep(rsp + 48, 0)
    "488d7c2430", // lea rdi, [rsp + 48]
    "31f6", // xor esi, esi
    "0f05", // syscall
    "b8e4000000", // mov eax, 228          clock_gettime(CLOCK_MONOTONIC_RAW, rsp + 24)
    "bf04000000", // mov edi, 4
    "488d742418", // lea rsi, [rsp + 24]
    "0f05", // syscall
    "0f31", // rdtsc
    "89442428", // mov [rsp + 40], eax
    "8954242c", // mov [rsp + 44], edx
    "b801000000", // mov eax, 1            write(1, rsp, 48)
    "bf01000000", // mov edi, 1
    "4889e6", // mov rsi, rsp
    "ba30000000", // mov edx, 48
    "0f05", // syscall
    "b83c000000", // mov eax, 60           exit(0)
    "31ff", // xor edi, edi
    "0f05", // syscall
  ].join(""),
  "hex",
);
