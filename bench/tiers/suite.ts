import { errorMessage } from "../../src/errors.ts";
import type { BenchOptions, BenchReport, BenchSuite } from "../suite.ts";
import { LANGUAGES_MEASURED } from "./languages.ts";
import { measureTier, type TierFigures } from "./measure.ts";
import { openPlaces, type Place } from "./places.ts";

export const tiersSuite: BenchSuite = {
  name: "tiers",
  about: "the same programs in every tier and language: cold, pooled, calls, CPU, memory, throughput",
  run,
};

const COLUMNS = [
  "tier",
  "language",
  "floor",
  "floor p50",
  "cold p50",
  "best",
  "pooled p50",
  "best",
  "p95",
  "round trip",
  "1000 calls",
  "CPU loop",
  "memory, MB",
  "runs/s",
] as const;

async function run({ progress, tier: only }: BenchOptions): Promise<BenchReport> {
  const { places, missing, close } = await openPlaces(progress);
  const notes = missing.map((why) => `NOT MEASURED HERE: ${why}`);
  const rows: (string | number)[][] = [];
  const misses: string[] = [];
  try {
    for (const place of places.filter(({ tier }) => only === undefined || tier === only)) {
      for (const language of LANGUAGES_MEASURED) {
        progress(`${place.name}, ${language.name}`);
        const figures = await inCacheOf(place, () => measureTier(place, language)).catch(errorMessage);
        if (typeof figures === "string") {
          notes.push(`NOT MEASURED HERE: ${place.name}, ${language.name}: ${figures}`);
          continue;
        }
        rows.push([place.name, language.name, place.floors[language.name]?.name ?? "", ...toCells(figures)]);
        misses.push(...missed(place, language.name, figures));
      }
    }
  } finally {
    await close();
  }
  return {
    tables: [{ title: "Tiers (ms, unless it says otherwise)", columns: COLUMNS, rows }],
    notes,
    misses,
  };
}

/** Daemons of tests bring a cache of their own. */
async function inCacheOf<T>({ tier, cache }: Place, work: () => Promise<T>): Promise<T> {
  if (tier !== "vm") return work();
  const others = process.env["XDG_CACHE_HOME"];
  setCache(cache);
  try {
    return await work();
  } finally {
    setCache(others);
  }
}

function setCache(dir: string | undefined): void {
  if (dir === undefined) delete process.env["XDG_CACHE_HOME"];
  else process.env["XDG_CACHE_HOME"] = dir;
}

const FIGURES = [
  "floorMs",
  "coldMs",
  "coldBestMs",
  "pooledMs",
  "pooledBestMs",
  "pooledWorstMs",
  "roundTripMs",
  "callsMs",
  "loopMs",
  "memoryMb",
  "perSecond",
] as const satisfies readonly (keyof TierFigures)[];

const toCells = (figures: TierFigures) => FIGURES.map((name) => Math.round(figures[name] * 100) / 100);

function missed({ name, targets }: Place, language: string, figures: TierFigures): string[] {
  return Object.entries(targets[language] ?? {}).flatMap(([what, target]) => {
    const value = what === "coldMs" ? figures.coldMs : figures.pooledMs;
    return value > target ? [`${name}, ${language}: ${what} ${Math.round(value)} > ${target}`] : [];
  });
}
