import { spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Dice } from '../test/oracle/world/dice.ts';
import { API_KEY } from '../test/oracle/world/server.ts';
import { type Link, lostLinks, type Place, readChain } from './chain.ts';
import type { Counted } from './count-writes.ts';
import type { Counts } from './counts.ts';
import type { Disk } from './disk.ts';
import type { Log } from './log.ts';
import { type Outcome, runHere } from './run-here.ts';

/** Another command is at work: a server hears a little later that the killed one is gone. */
const AT_WORK = 4;
/** What no person should read: a stack, or a value that was not put into words. */
const STACK = /\n\s+at .+:\d+:\d+|should not have happened|\bundefined\b|\[object /;

/** The moment of a kill: before a write, or after a commit. */
interface KillAt {
  readonly nth: number;
  readonly of: Counted;
}

export interface Told {
  readonly log: Log;
  readonly counts: Counts;
}

/**
 * Books of a world, and everything that is done to them: commands, kills in the middle of one, and a disk that is full
 * meanwhile.
 */
export class Books {
  readonly faults: string[] = [];
  readonly #disk: Disk;
  readonly #place: Place;
  readonly #told: Told;
  readonly #dice: Dice;
  readonly #env = { REMIT_API_KEY: API_KEY };
  #links: readonly Link[] = [];

  /** @param seed of the dice that draw kills and full disks */
  constructor(disk: Disk, place: Place, told: Told, seed: number) {
    this.#disk = disk;
    this.#place = place;
    this.#told = told;
    this.#dice = new Dice(seed);
  }

  get folder(): string {
    return this.#disk.books;
  }

  /** The links that were there when the books were last looked at. */
  get links(): readonly Link[] {
    return this.#links;
  }

  write(name: string, text: string): string {
    writeFileSync(path.join(this.folder, name), text);
    return name;
  }

  /** Runs a command to its end, in this process. */
  async run(now: Date, ...argv: string[]): Promise<Outcome> {
    this.#told.counts.add('commands');
    for (let tries = 0; ; tries += 1) {
      const outcome = await runHere({ argv, cwd: this.folder, now, env: this.#env });
      this.#complain(argv, outcome);
      if (outcome.code !== AT_WORK || tries > 200) return outcome;
      await wait(25);
    }
  }

  /** As {@link run}, of a command that must end with one of these codes: anything else is thrown. */
  async must(now: Date, codes: readonly number[], ...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(now, ...argv);
    if (!codes.includes(code)) throw new Error(`remit ${argv.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  }

  /**
   * Now and then, has a command come to grief before it is run in earnest: killed before one of its writes or after one
   * of its commits, or on a full disk. What is left must verify, and hold all that was there before.
   */
  async comesToGrief(now: Date, ...argv: string[]): Promise<void> {
    const roll = this.#dice.roll();
    const of = this.#dice.pick(['write', 'commit'] as const);
    const nth = this.#dice.int(1, this.#dice.pick(of === 'write' ? [6, 25, 120] : [3, 12, 40]));
    const leave = this.#dice.pick([0, 4_096, 40_000, 200_000]);
    if (roll < 0.13) await this.#killed(now, argv, { nth, of });
    else if (roll < 0.19 && this.#disk.canFill) await this.#full(now, argv, leave);
  }

  /**
   * Proves the chain without the product, that nothing once held is gone, and that the product finds no fault with the
   * ledger.
   */
  async look(now: Date): Promise<void> {
    if ('file' in this.#place && !existsSync(this.#place.file)) return;
    const { links, faults } = await readChain(this.#place);
    this.faults.push(...faults, ...lostLinks(this.#links, links));
    this.#links = links;
    if (links.length === 0) return;
    const { code, stdout, stderr } = await this.run(now, 'verify', '--deep', '--json');
    const { ok, head, problems } = stdout.startsWith('{')
      ? JSON.parse(stdout)
      : { ok: false, head: '', problems: stderr };
    if (!ok || code !== 0) this.faults.push(`verify --deep ended with ${code}: ${JSON.stringify(problems)}`);
    else if (head !== links.at(-1)!.chain) this.faults.push('verify names another head than the ledger has');
  }

  async #killed(now: Date, argv: string[], killAt: KillAt): Promise<void> {
    const { code } = await this.#inChild(now, argv, killAt);
    const moment = `${killAt.of} ${killAt.nth}`;
    this.#told.log.say(
      `    ${argv.join(' ')}: ${code === null ? `killed at ${moment}` : `ended with ${code} before ${moment}`}`,
    );
    if (code === null) this.#told.counts.add('kills');
    await this.look(now);
    this.#findHalfFiles(argv);
  }

  async #full(now: Date, argv: string[], leave: number): Promise<void> {
    this.#disk.fill(leave);
    const outcome = await this.#inChild(now, argv, null);
    this.#disk.free();
    const { code } = outcome;
    this.#told.log.say(`    ${argv.join(' ')}: ended with ${code}, ${leave} bytes free`);
    this.#told.counts.add('full disks');
    this.#complain(argv, outcome);
    if (![0, 1, 2, 3].includes(code))
      this.faults.push(`${argv.join(' ')} on a full disk ended with ${code}: ${outcome.stderr}`);
    await this.look(now);
    this.#findHalfFiles(argv);
  }

  async #inChild(now: Date, argv: readonly string[], killAt: KillAt | null): Promise<Outcome> {
    this.#told.counts.add('commands');
    for (let tries = 0; ; tries += 1) {
      const outcome = await this.#spawn(now, argv, killAt);
      if (outcome.code !== AT_WORK || tries > 20) return outcome;
      await wait(100);
    }
  }

  async #spawn(now: Date, argv: readonly string[], killAt: KillAt | null): Promise<Outcome> {
    const asked = JSON.stringify({ argv, cwd: this.folder, now: now.getTime(), env: this.#env, killAt });
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'child.js'), asked], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code: code as number, stdout, stderr };
  }

  #complain(argv: readonly string[], { stdout, stderr }: Outcome): void {
    const isRaw = STACK.test(stderr) || (!argv.includes('--json') && STACK.test(stdout));
    if (isRaw) this.faults.push(`${argv.join(' ')} printed what no person should read: ${stderr || stdout}`);
  }

  /** A file that a command makes appears whole or not at all. */
  #findHalfFiles(argv: readonly string[]): void {
    const out = argv[argv.indexOf('--out') + 1];
    if (!argv.includes('--out') || out === undefined || !existsSync(path.join(this.folder, out))) return;
    if (statSync(path.join(this.folder, out)).size < 100) this.faults.push(`${argv.join(' ')} left half of ${out}`);
  }
}
