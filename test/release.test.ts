import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
  readonly dev?: boolean;
  readonly version?: string;
}

const { packages } = JSON.parse(readFileSync('npm-shrinkwrap.json', 'utf8')) as { packages: Record<string, Locked> };
const nameOf = (at: string) => at.split('node_modules/').at(-1)!;

it('every package with a script of its own for installation is decided in allowScripts', () => {
  const scripted = Object.entries(packages).filter(([at, { hasInstallScript }]) => at !== '' && hasInstallScript);
  const undecided = scripted.map(([at]) => nameOf(at)).filter((name) => !(name in manifest.allowScripts));
  // Of macOS alone, where npm asks for it; it is no part of remit.
  expect(undecided.filter((name) => name !== 'fsevents')).toEqual([]);
});

it('npm has nothing to say when the package is installed, on any Node that remit runs on', () => {
  const { scripts } = manifest;
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  const installed = Object.entries(packages).filter(([at, { dev }]) => at !== '' && !dev);
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([at]) => at)).toEqual([]);
  const tooNew = installed.filter(
    ([, { engines, optional }]) => !optional && /^(>=|\^)\s*2[1-9]/.test(engines?.node ?? ''),
  );
  expect(tooNew.map(([at]) => at)).toEqual([]);
});

it('whoever installs the package gets what overrides say, in the package itself', () => {
  const overridden = Object.values(manifest.overrides).flatMap((versions) => Object.keys(versions));
  for (const name of overridden) expect(packages[`node_modules/${name}`]).toHaveProperty('inBundle', true);
});

it('the bill of materials names what is installed, nothing for development, and is the same each time', () => {
  const sbom = () => spawnSync(process.execPath, ['sbom.mjs'], { encoding: 'utf8' });
  const { status, stdout, stderr } = sbom();
  expect([status, stderr]).toEqual([0, '']);
  const bill = JSON.parse(stdout) as { bomFormat: string; components: { name: string; version: string }[] };
  // What reads PDFs, and the SQLite of Node 20, are built in.
  const installed = Object.entries(packages).filter(
    ([at, { dev }]) => at !== '' && (!dev || /\/(pdfjs-dist|better-sqlite3-node20)$/.test(at)),
  );
  const due = installed.map(([at, { version }]) => `${nameOf(at)}@${version}`);
  expect(bill.bomFormat).toBe('CycloneDX');
  expect(new Set(bill.components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(due));
  expect(sbom().stdout).toBe(stdout);
});

it('nothing that is installed is a canvas of native code, which what reads PDFs would take if it were there', () => {
  expect(Object.keys(packages).filter((at) => at.includes('canvas'))).toEqual([]);
});

it('whoever has seen enough of the bill of materials ends it without a word', async () => {
  const child = spawn(process.execPath, ['sbom.mjs'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([0, '']);
});
