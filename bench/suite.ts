export type BenchOptions = {
  /** Folder with the evaluation data. */
  readonly dataDir: string;
  /** Folder with the built CLI, for suites that run it as a user would. */
  readonly distDir: string;
  /** Where programs run, for suites that can do it in any tier. */
  readonly tier?: string;
  /** Says what is going on, on stderr. */
  progress(message: string): void;
};

export type BenchTable = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
};

export type BenchReport = {
  readonly tables: readonly BenchTable[];
  readonly notes: readonly string[];
  /** Targets that were missed; none means that all were met. */
  readonly misses: readonly string[];
};

export type BenchSuite = {
  readonly name: string;
  readonly about: string;
  run(options: BenchOptions): Promise<BenchReport>;
};

/** The data that a suite measures on is not here. */
export class MissingDataError extends Error {
  override readonly name = "MissingDataError";
}

export function toText(name: string, report: BenchReport): string {
  const parts = [`# ${name}`, ...report.tables.map(tableText)];
  if (report.notes.length > 0) parts.push(report.notes.map((note) => `- ${note}`).join("\n"));
  parts.push(report.misses.length === 0 ? "All targets met" : `Missed: ${report.misses.join("; ")}`);
  return `${parts.join("\n\n")}\n`;
}

function tableText(table: BenchTable): string {
  const rows = [table.columns, ...table.rows].map((row) => row.map(String));
  const widths = table.columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = table.columns.map((_, column) =>
    table.rows.every((row) => typeof row[column] === "number"),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
  return [table.title, ...lines.map((line) => `  ${line}`)].join("\n");
}
