import { type GuestSpec, JAVASCRIPT_GUEST, PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";

/** The same programs, as each guest runs them. */
export type MeasuredLanguage = {
  readonly name: string;
  readonly guest: GuestSpec;
  /** Returns 1. */
  readonly small: string;
  /** A call, and the milliseconds that a thousand calls one after another took after it. */
  readonly calls: string;
  /** The milliseconds that a loop of arithmetic took. */
  readonly loop: string;
};

/** A language more is an entry more. */
export const LANGUAGES_MEASURED: readonly MeasuredLanguage[] = [
  {
    name: "TypeScript",
    guest: JAVASCRIPT_GUEST,
    small: "return 1",
    calls:
      "await s.x({}); const begin = performance.now(); for (let n = 0; n < 1000; n++) await s.x({ n }); return performance.now() - begin",
    loop: "const begin = performance.now(); let x = 1; for (let n = 0; n < 3e7; n++) x = (x * 31 + n) % 1000003; return x < 0 ? 0 : performance.now() - begin",
  },
  {
    name: "Python",
    guest: PYTHON_GUEST,
    small: "1",
    calls:
      "import time\nawait s.x({})\nbegin = time.perf_counter()\nfor n in range(1000):\n    await s.x({'n': n})\n(time.perf_counter() - begin) * 1000",
    // A tenth of TypeScript's: there is no compiler.
    loop: "import time\nbegin = time.perf_counter()\nx = 1\nfor n in range(3_000_000):\n    x = (x * 31 + n) % 1000003\n(time.perf_counter() - begin) * 1000",
  },
];
