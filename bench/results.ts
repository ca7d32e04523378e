import { type Measured, median } from './measure.ts';

/** A line of the table: one who did a job, at a size. Figures that were not measured are null. */
export interface ResultLine {
  readonly job: string;
  /** How many rows, orders or invoices the job was about. */
  readonly rows: number | null;
  /** `remit`, a floor, or a peer. */
  readonly who: string;
  readonly cpu: number | null;
  readonly wall: number | null;
  readonly megabytes: number | null;
  /**
   * What ten times the rows took more of: `9.8 × CPU, 1.1 × peak` beside the line of a tenth as many; null where there
   * is none.
   */
  readonly growth: string | null;
  /**
   * What is compared: `1.42 × floor`, and the most that it may be; null where the line is only there to compare with.
   */
  readonly figure: string | null;
  readonly goal: string | null;
  readonly reached: boolean | null;
}

/** Someone who does a job. */
export interface Contender {
  readonly who: string;
  run(): Promise<Measured>;
}

/** What is asked of a contender: no more than `most` times another's figure. */
export interface Goal {
  readonly of: 'cpu' | 'wall';
  readonly against: string;
  readonly most: number;
}

/** Collects the lines, and prints each as soon as it is known. */
export class Results {
  readonly lines: ResultLine[] = [];
  readonly #print: (line: ResultLine) => void;

  constructor(print: (line: ResultLine) => void) {
    this.#print = print;
  }

  add(measured: Omit<ResultLine, 'growth'>): void {
    const line = { ...measured, growth: this.#growthTo(measured) };
    this.lines.push(line);
    this.#print(line);
  }

  #growthTo({ job, who, rows, cpu, megabytes }: Omit<ResultLine, 'growth'>): string | null {
    const tenth = this.lines.find(
      (line) => line.job === job && line.who === who && line.rows && line.rows * 10 === rows,
    );
    if (!tenth?.cpu || !tenth.megabytes || !cpu || !megabytes) return null;
    return `${(cpu / tenth.cpu).toFixed(1)} × CPU, ${(megabytes / tenth.megabytes).toFixed(1)} × peak`;
  }

  /** A figure that is no run of a process, such as a size or a rate. */
  figure(job: string, rows: number | null, figure: string, goal: string | null, reached: boolean | null): void {
    this.add({ job, rows, who: 'remit', cpu: null, wall: null, megabytes: null, figure, goal, reached });
  }

  /** Something that cannot be measured here, and why. */
  skip(job: string, why: string): void {
    this.add({
      job,
      rows: null,
      who: why,
      cpu: null,
      wall: null,
      megabytes: null,
      figure: null,
      goal: null,
      reached: null,
    });
  }

  /**
   * Lets contenders do the same job in turns, so that whatever else the machine does is shared alike; the first is
   * remit. One run of each that is not counted comes before.
   *
   * @returns all counted runs, by who did them
   */
  async contest(
    job: string,
    rows: number,
    contenders: readonly Contender[],
    goals: readonly Goal[],
    { rounds, warm = true }: { readonly rounds: number; readonly warm?: boolean },
  ): Promise<Map<string, Measured[]>> {
    const runs = new Map<string, Measured[]>(contenders.map(({ who }) => [who, []]));
    if (warm) for (const { run } of contenders) await run();
    for (let round = 0; round < rounds; round += 1) {
      for (const { who, run } of contenders) runs.get(who)!.push(await run());
    }
    const [first] = contenders;
    const own = runs.get(first!.who)!;
    for (const { who } of contenders) {
      const theirs = runs.get(who)!;
      const asked = goals.filter(({ against }) => against === who);
      // What is asked of the first stands on the line of whom it is compared with.
      const ratios = asked.map(({ of, most }) => ({ of, most, ratio: ratioOf(own, theirs, of) }));
      const compared =
        ratios[0] ?? (theirs === own ? null : { of: 'cpu' as const, most: null, ratio: ratioOf(own, theirs, 'cpu') });
      this.add({
        job,
        rows,
        who,
        cpu: median(theirs.map(({ cpu }) => cpu)),
        wall: median(theirs.map(({ wall }) => wall)),
        megabytes: Math.max(...theirs.map(({ megabytes }) => megabytes)),
        figure: compared && `${first!.who} takes ${compared.ratio.toFixed(2)} × its ${compared.of}`,
        goal: compared?.most == null ? null : `≤ ${compared.most} ×`,
        reached: compared?.most == null ? null : compared.ratio <= compared.most,
      });
    }
    return runs;
  }
}

/** The median of the ratios, run by run: each pair ran beside each other. */
function ratioOf(own: readonly Measured[], theirs: readonly Measured[], of: 'cpu' | 'wall'): number {
  return median(own.map((run, index) => run[of] / theirs[index]![of]));
}

/** A table's line for a terminal. */
export function lineText({ job, rows, who, cpu, wall, megabytes, growth, figure, goal, reached }: ResultLine): string {
  const number = (value: number | null, digits: number, unit: string) =>
    value === null ? '' : `${value.toFixed(digits)} ${unit}`;
  return [
    job.padEnd(34),
    (rows?.toLocaleString('en') ?? '').padStart(10),
    who.padEnd(30),
    number(cpu, 2, 's').padStart(9),
    number(wall, 2, 's').padStart(9),
    number(megabytes, 0, 'MB').padStart(8),
    (growth ?? '').padEnd(22),
    (figure ?? '').padEnd(34),
    (goal ?? '').padEnd(12),
    reached === null ? '' : reached ? 'reached' : 'MISSED',
  ]
    .join('  ')
    .trimEnd();
}

/** The table as Markdown, as docs/performance.md holds it. */
export function markdown(lines: readonly ResultLine[]): string {
  const cell = (value: number | null, digits: number) => (value === null ? '' : value.toFixed(digits));
  const rows = lines.map(({ job, rows, who, cpu, wall, megabytes, growth, figure, goal, reached }) =>
    [
      job,
      rows?.toLocaleString('en') ?? '',
      who,
      cell(cpu, 2),
      cell(wall, 2),
      cell(megabytes, 0),
      growth ?? '',
      figure ?? '',
      goal ?? '',
      reached === null ? '' : reached ? 'reached' : 'missed',
    ].join(' | '),
  );
  return [
    '| job | rows | who | CPU s | wall s | peak MB | of a tenth as many rows | figure | goal | |',
    '|---|---:|---|---:|---:|---:|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
