import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFolder } from '../../../src/base/files/folder.ts';
import { refuseProtected, replaceFile } from '../../../src/base/files/replace.ts';
import { makeFolderBeside, makeTemporaryFolder } from '../../../src/base/files/temporary.ts';
import { scratchFolder } from '../../helpers/folder.ts';

const onUnix = it.skipIf(process.platform === 'win32');

const write = (file: string, text = 'new') => replaceFile(file, (handle) => handle.writeFile(text));

/** The name that a run of this machine's process would have left behind. */
async function leftBehind(folder: string, pid: number): Promise<string> {
  let name = '';
  await replaceFile(path.join(folder, 'probe'), async () => {
    name = readdirSync(folder).find((entry) => entry.endsWith('.tmp'))!;
  });
  const left = path.join(
    folder,
    name.replace(`-${process.pid}-`, `-${pid}-`).replace(/[0-9a-f]{32}/, randomBytes(16).toString('hex')),
  );
  writeFileSync(left, 'half of a statement');
  return left;
}

/** The id of a process that has ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('a file that is replaced', () => {
  onUnix('is its owner’s alone, whatever the one before allowed, and so is a new folder', async () => {
    const folder = path.join(scratchFolder(), 'new', 'below');
    makeFolder(folder);
    expect([path.dirname(folder), folder].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
    const file = path.join(folder, 'orders.csv');
    writeFileSync(file, 'old', { mode: 0o644 });
    await write(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('grows under a name that cannot be foretold', async () => {
    const folder = scratchFolder();
    const names = new Set<string>();
    for (let turn = 0; turn < 3; turn++) {
      await replaceFile(path.join(folder, 'x'), async () => {
        for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) names.add(name);
      });
    }
    expect(names.size).toBe(3);
    for (const name of names) expect(name).toMatch(/^\.remit-[0-9a-f]{8}-\d+-[0-9a-f]{32}\.tmp$/);
    expect(readdirSync(folder)).toEqual(['x']);
  });

  it('takes away what killed runs left, and nothing else', async () => {
    const folder = scratchFolder();
    await leftBehind(folder, endedProcess());
    const atWork = await leftBehind(folder, process.ppid);
    const elsewhere = path.join(folder, `.remit-00000000-7-${'0'.repeat(32)}.tmp`);
    writeFileSync(elsewhere, '');
    const old = path.join(folder, `.remit-00000000-8-${'0'.repeat(32)}.tmp`);
    writeFileSync(old, '');
    utimesSync(old, 0, 0);
    writeFileSync(path.join(folder, '.remit-mine.tmp'), '');
    await write(path.join(folder, 'x'));
    expect(readdirSync(folder).sort()).toEqual(
      ['.remit-mine.tmp', path.basename(atWork), path.basename(elsewhere), 'probe', 'x'].sort(),
    );
  });

  it('takes away what SQLite kept beside a copy that was not finished', async () => {
    const folder = scratchFolder();
    const left = await leftBehind(folder, endedProcess());
    for (const ending of ['-wal', '-shm', '-journal']) writeFileSync(left + ending, '');
    const lock = left.replace(/\.tmp$/, '.lock');
    for (const ending of ['', '-journal']) writeFileSync(lock + ending, '');
    await write(path.join(folder, 'x'));
    expect(readdirSync(folder).sort()).toEqual(['probe', 'x']);
  });

  onUnix.each(['pipe', 'device'])('is no %s', async (kind) => {
    const target = path.join(scratchFolder(), 'pipe');
    if (kind === 'pipe') spawnSync('mkfifo', [target]);
    else symlinkSync('/dev/null', target);
    await expect(write(target)).rejects.toThrow(/is not a regular file/);
  });
});

describe('a folder for what is thrown away', () => {
  onUnix('is its owner’s alone, and the next one takes away those of killed runs, and nothing else', () => {
    const parent = scratchFolder();
    vi.stubEnv('TMPDIR', parent);
    onTestFinished(() => void vi.unstubAllEnvs());
    const mine = makeTemporaryFolder();
    expect(statSync(mine).mode & 0o777).toBe(0o700);
    const name = path.basename(mine);
    expect(name).toMatch(/^remit-[0-9a-f]{8}-\d+-\w{6}$/);
    const left = name.replace(`-${process.pid}-`, `-${endedProcess()}-`);
    const linked = `${left.slice(0, -6)}linked`;
    const elsewhere = name.replace(/-[0-9a-f]{8}-\d+-/, `-00000000-${endedProcess()}-`);
    for (const each of [left, elsewhere, 'remit-books']) mkdirSync(path.join(parent, each));
    writeFileSync(path.join(parent, left, 'ledger.db'), 'what one could read');
    symlinkSync(path.join(parent, 'remit-books'), path.join(parent, linked));
    const next = makeTemporaryFolder();
    expect(readdirSync(parent).sort()).toEqual([name, path.basename(next), elsewhere, linked, 'remit-books'].sort());
  });
});

describe('a folder beside the one that it becomes', () => {
  onUnix('is hidden and its owner’s alone, and the next one takes away those of killed runs, and nothing else', () => {
    const target = path.join(scratchFolder(), 'pack');
    const mine = makeFolderBeside(target);
    expect(statSync(mine).mode & 0o777).toBe(0o700);
    const name = path.basename(mine);
    expect(name).toMatch(/^\.remit-[0-9a-f]{8}-\d+-\w{6}$/);
    const left = path.join(path.dirname(target), name.replace(`-${process.pid}-`, `-${endedProcess()}-`));
    for (const each of [left, `${left}.kept`]) mkdirSync(each);
    writeFileSync(path.join(left, 'dispute.csv'), 'names and money');
    const next = makeFolderBeside(target);
    const expected = [mine, next, `${left}.kept`].map((each) => path.basename(each));
    expect(readdirSync(path.dirname(target)).sort()).toEqual(expected.sort());
  });
});

describe('protected files', () => {
  const refused = (target: string, file: string) => () => refuseProtected(target, [{ path: file, is: 'ledger' }]);

  it('are refused under their own name, present or not, and no other', () => {
    const folder = scratchFolder();
    const file = path.join(folder, 'ledger.db');
    expect(refused(file, file)).toThrow(/is the ledger itself, which would be lost/);
    expect(refused(path.join(folder, 'x', '..', 'ledger.db'), file)).toThrow(/is the ledger/);
    expect(refused(path.join(folder, 'other.db'), file)).not.toThrow();
    writeFileSync(file, '');
    expect(refused(path.join(folder, 'other.db'), file)).not.toThrow();
  });

  onUnix('are refused through links, symbolic and hard, of the file and of its folder', () => {
    const folder = scratchFolder();
    mkdirSync(path.join(folder, 'books'));
    const file = path.join(folder, 'books', 'ledger.db');
    symlinkSync(path.join(folder, 'books'), path.join(folder, 'way'));
    expect(refused(path.join(folder, 'way', 'ledger.db'), file)).toThrow(/is the ledger/);
    writeFileSync(file, '');
    symlinkSync(file, path.join(folder, 'soft'));
    linkSync(file, path.join(folder, 'hard'));
    expect(refused(path.join(folder, 'soft'), file)).toThrow(/is the ledger/);
    expect(refused(path.join(folder, 'hard'), file)).toThrow(/is the ledger/);
  });
});
