import type { BenchOptions, BenchReport, BenchSuite } from "../suite.ts";
import { measureContacts } from "./contacts.ts";
import { measureDetectSpeed } from "./detect-speed.ts";
import { measureFilter } from "./filter.ts";
import { measureFlows } from "./flows/measure-flows.ts";
import { measureOffice } from "./office.ts";
import { measureProse } from "./prose.ts";
import { measureStructured } from "./structured.ts";
import { measureTyped } from "./typed.ts";
import { measureUnconcerned } from "./unconcerned.ts";
import { measureWithoutPersons } from "./without-persons.ts";

type Part = (options: BenchOptions) => Promise<BenchReport>;

/** What the suite is made of; each part stands in a file of its own. */
const PARTS: readonly Part[] = [
  measureDetectSpeed,
  measureFilter,
  measureStructured,
  measureWithoutPersons,
  measureTyped,
  measureProse,
  measureUnconcerned,
  measureContacts,
  measureOffice,
  measureFlows,
];

export const privacySuite: BenchSuite = {
  name: "privacy",
  about: "personal values: what is found, what is found that is none, how fast",
  async run(options) {
    const reports: BenchReport[] = [];
    for (const part of PARTS) reports.push(await part(options));
    return {
      tables: reports.flatMap(({ tables }) => tables),
      notes: reports.flatMap(({ notes }) => notes),
      misses: reports.flatMap(({ misses }) => misses),
    };
  },
};
