import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder for one test, removed after it. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'remit-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
