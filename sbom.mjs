// `npm run sbom`: the software bill of materials of what is installed with remit, as CycloneDX JSON, on standard output.
// npm makes it from npm-shrinkwrap.json; a number and a time of its own, which no two runs share, are left out. Its own `--omit dev` also
// leaves out what is installed for people and for development alike.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = import.meta.dirname;
const npm =
  process.env.npm_execpath ?? path.join(path.dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
const argv = [npm, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
// In a folder where nothing is bundled: npm takes what `overrides` chose inside a bundle for invalid.
const folder = mkdtempSync(path.join(tmpdir(), 'remit-sbom-'));
for (const name of ['package.json', 'npm-shrinkwrap.json']) {
  const leaveOut = (key, value) => (key === 'bundleDependencies' || key === 'inBundle' ? undefined : value);
  writeFileSync(
    path.join(folder, name),
    JSON.stringify(JSON.parse(readFileSync(path.join(root, name), 'utf8'), leaveOut)),
  );
}
const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
  cwd: folder,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
rmSync(folder, { recursive: true, force: true });
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}
const { serialNumber: _number, ...bill } = JSON.parse(stdout);
const { timestamp: _time, tools: _npm, ...metadata } = bill.metadata;
// npm calls it after the folder.
metadata.component.name = 'remit-books';
const byRef = (a, b) => (a < b ? -1 : 1);
bill.metadata = metadata;
/** Installed for the build alone, whose code is inside dist. */
const INSIDE = ['pdfjs-dist', 'better-sqlite3-node20'];
const isForDevelopment = ({ name, properties = [] }) =>
  !INSIDE.includes(name) &&
  properties.some((property) => property.name === 'cdx:npm:package:development' && property.value === 'true');
bill.components = bill.components.filter((component) => !isForDevelopment(component));
// It is no part of the development of those who have the package.
for (const component of bill.components) {
  component.properties = component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development');
}
const kept = new Set([metadata.component['bom-ref'], ...bill.components.map((component) => component['bom-ref'])]);
bill.dependencies = bill.dependencies.filter(({ ref }) => kept.has(ref));
for (const dependency of bill.dependencies) dependency.dependsOn = dependency.dependsOn.filter((ref) => kept.has(ref));
bill.components.sort((a, b) => byRef(a['bom-ref'], b['bom-ref']));
bill.dependencies.sort((a, b) => byRef(a.ref, b.ref));
for (const { dependsOn } of bill.dependencies) dependsOn.sort(byRef);
// `node sbom.mjs | head`: the reader has seen enough.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
