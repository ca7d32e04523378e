import type { ChildProcess } from 'node:child_process';

/** What is at work while a blow falls. */
export interface Struck {
  readonly commands: readonly ChildProcess[];
  /** Runs another command that writes. */
  work(): Promise<void>;
}

/** Where the ledger is, and what happens to it there. */
export interface Stage {
  readonly blows: readonly string[];
  /** A password that nothing may print. */
  readonly secret: string;
  /** What remit.toml says of the ledger. */
  readonly settings: string;
  url(database: string, schema?: string): string;
  /** The address of the one server that takes writes. */
  directUrl(database: string): Promise<string>;
  /** Does something to whoever is at work, or to what the work needs, and lets it come back. */
  strike(blow: string, struck: Struck): Promise<void>;
  /** Waits until the next command may be struck. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}
