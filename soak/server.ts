import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asOwner, findPrograms, killServer, makeServer, urlOf } from '../test/helpers/postgres-server.ts';
import type { NewPlace } from './stage.ts';

/** A PostgreSQL server of this run, with a database for each world. */
export async function startServer(): Promise<{ newPlace: NewPlace; stop(): Promise<void> }> {
  if (findPrograms() === null) throw new Error('no PostgreSQL server is installed here (initdb was not found)');
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-soak-pg-'));
  chmodSync(folder, 0o711);
  const server = await makeServer(folder);
  let made = 0;
  return {
    newPlace: async () => {
      made += 1;
      const name = `world_${made}`;
      await asOwner(server.port, 'postgres', (client) => client.query(`create database ${name} template template0`));
      return { url: urlOf(server.port, name) };
    },
    async stop() {
      await killServer(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
