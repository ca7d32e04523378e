import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Outcome, remit, type Surroundings } from './cli.ts';
import { scratchFolder } from './folder.ts';

/** A books folder of one test, and the command line in it. */
export interface OwnBooks {
  readonly folder: string;
  /** Writes a file into it. @returns its name */
  file(name: string, content: string | Uint8Array): string;
  remit(argv: readonly string[], more?: Partial<Surroundings>): Promise<Outcome>;
  /** Runs a command with --json that has to end well, and reads what it printed. */
  json<T>(argv: readonly string[], more?: Partial<Surroundings>): Promise<T>;
  /** The ledger is what its evidence gives. */
  verify(): Promise<void>;
}

/** Makes a books folder. @param toml what stands in remit.toml beside the address */
export function ownBooks(toml = '', now = new Date('2026-11-10T09:00:00Z')): OwnBooks {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'remit.toml'), `api_url = "http://127.0.0.1:9/v1/external/"\n${toml}\n`);
  const run: OwnBooks['remit'] = (argv, more = {}) => remit(argv, { cwd: folder, now, ...more });
  return {
    folder,
    file(name, content) {
      writeFileSync(path.join(folder, name), content);
      return name;
    },
    remit: run,
    async json(argv, more) {
      const { code, stdout, stderr } = await run([...argv, '--json'], more);
      // In the world of four sides some orders share a reference: their months say so.
      const said = stderr.replaceAll(
        /^warning: \d{4}-\d\d is incomplete: .* the reference stands on several orders.*\n/gm,
        '',
      );
      expect({ argv, code, stderr: said }).toEqual({ argv, code: 0, stderr: '' });
      return JSON.parse(stdout);
    },
    async verify() {
      const { stdout } = await run(['verify', '--deep', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: [] });
    },
  };
}

/** Our CSV of orders. */
export const ORDERS = `reference,ordered_on,status,currency,cod,district,note
SO-1,2026-10-01,handed_over,USD,25.00,Beirut,
SO-1,2026-10-01,handed_over,LBP,100000,Beirut,
SO-2,2026-10-02,open,USD,0,Tyre,call first
`;

/** A bank's CSV of a cash book's form. */
export const CASH = `date,amount,currency,text,invoice
2026-10-28,100.00,USD,COD of the courier,10009
2026-10-28,100.00,USD,COD of the courier,10009
2026-10-29,-12.50,USD,Stamps,
`;
