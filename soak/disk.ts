import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const open = new Set<Disk>();
// Also where somebody ends the run by a signal.
process.on('exit', () => {
  for (const disk of open) disk.remove();
});

/** A folder that is a disk of its own where the system lets us mount one (a tmpfs, as root), so that it can be full. */
export class Disk {
  readonly folder: string;
  readonly canFill: boolean;

  constructor(megabytes: number) {
    this.folder = mkdtempSync(path.join(tmpdir(), 'remit-soak-'));
    this.canFill = mount(this.folder, megabytes);
    mkdirSync(path.join(this.folder, 'books'));
    open.add(this);
  }

  get books(): string {
    return path.join(this.folder, 'books');
  }

  /** Fills the disk. @param leave how many bytes stay free, at most */
  fill(leave: number): void {
    const { bavail, bsize } = statfsSync(this.folder);
    writeFileSync(this.#filler, Buffer.alloc(Math.max(0, bavail * bsize - leave)));
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  remove(): void {
    open.delete(this);
    if (this.canFill) execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #filler(): string {
    return path.join(this.folder, 'filler');
  }
}

function mount(folder: string, megabytes: number): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // A container may forbid it even to root.
  }
}
