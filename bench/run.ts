import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { auditSuite } from "./audit.ts";
import { checkSuite } from "./check/suite.ts";
import { codegenSuite } from "./codegen.ts";
import { decideSuite } from "./decide/suite.ts";
import { gateSuite } from "./gate/suite.ts";
import { holdSuite } from "./hold.ts";
import { journalSuite } from "./journal.ts";
import { memorySuite } from "./memory/suite.ts";
import { modulesSuite } from "./modules.ts";
import { networkSuite } from "./network.ts";
import { privacySuite } from "./privacy/privacy.ts";
import { pythonSuite } from "./python/suite.ts";
import { searchSuite } from "./search.ts";
import { serversSuite } from "./servers.ts";
import { type BenchReport, type BenchSuite, MissingDataError, toText } from "./suite.ts";
import { tiersSuite } from "./tiers/suite.ts";
import { tokensSuite } from "./tokens/suite.ts";
import { typesSuite } from "./types/suite.ts";
import { runSuite } from "./whole-run.ts";

const SUITES: readonly BenchSuite[] = [
  auditSuite,
  checkSuite,
  codegenSuite,
  decideSuite,
  gateSuite,
  holdSuite,
  journalSuite,
  memorySuite,
  modulesSuite,
  networkSuite,
  privacySuite,
  pythonSuite,
  runSuite,
  searchSuite,
  serversSuite,
  tiersSuite,
  tokensSuite,
  typesSuite,
];
const USAGE = `Usage: npm run bench -- [SUITE…] [--list] [--json] [--data DIR] [--dist DIR] [--tier TIER]

Without a suite, all are run:
${SUITES.map((suite) => `  ${suite.name.padEnd(10)} ${suite.about}`).join("\n")}

--data is the folder with the evaluation data (default: ../shared/eval)
--dist is the built CLI that "hold" attacks, for example of another version (default: dist)
--tier is where "python" runs its programs: process, docker or vm (default: process), and the one that "tiers" measures (default: all)`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const parsed = parse(args);
  const unknown = parsed?.positionals.find((name) => !SUITES.some((suite) => suite.name === name));
  if (parsed === undefined || unknown !== undefined) {
    console.error(unknown === undefined ? USAGE : `No suite "${unknown}"\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.list || values.help) {
    console.log(USAGE);
    return 0;
  }
  const chosen = SUITES.filter((suite) => positionals.length === 0 || positionals.includes(suite.name));
  const options = {
    dataDir: resolve(values.data),
    distDir: resolve(values.dist),
    ...(values.tier !== undefined && { tier: values.tier }),
    progress: (message: string) => console.error(message),
  };
  const reports: { [suite: string]: BenchReport } = {};
  try {
    for (const suite of chosen) {
      const report = await suite.run(options);
      reports[suite.name] = report;
      if (!values.json) console.log(toText(suite.name, report));
    }
  } catch (error) {
    if (!(error instanceof MissingDataError)) throw error;
    console.error(error.message);
    return 2;
  }
  if (values.json) console.log(JSON.stringify(reports, null, 2));
  return Object.values(reports).some((report) => report.misses.length > 0) ? 1 : 0;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        data: { type: "string", default: "../shared/eval" },
        dist: { type: "string", default: "dist" },
        tier: { type: "string" },
      },
    });
  } catch {
    return undefined;
  }
}
