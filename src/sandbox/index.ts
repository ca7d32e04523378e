import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../errors.ts';
import { type AppOptions, BASE_PATH, buildApp } from './app.ts';
import { buildOperatorApp, OPERATOR_PREFIX } from './operator/app.ts';
import { openStore } from './store/open.ts';

export type { ResultShape } from './http/shapes.ts';

export interface SandboxOptions extends Omit<AppOptions, 'store'> {
  /** The service's file, which must exist. */
  file: string;
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** Serves the operator's API too, always on the loopback interface; 0 takes a free port. */
  operatorPort?: number | undefined;
}

export interface RunningSandbox {
  /** The base URL of the merchant API; ends in `/v1/external/`. */
  url: string;
  docsUrl: string;
  operatorUrl: string | null;
  /** Stops listening, drops open connections and closes the file. */
  close(): Promise<void>;
}

/**
 * Runs the delivery company's service over its file until it is closed.
 *
 * @throws FileError when the file cannot be opened, UsageError when a port cannot be had
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { file, port, host, operatorPort, ...rest } = options;
  const store = openStore(file, { mustExist: true });
  const apps: FastifyInstance[] = [];
  const close = async (): Promise<void> => {
    for (const app of apps) await app.close();
    store.close();
  };
  try {
    const app = await buildApp({ ...rest, host, store });
    apps.push(app);
    const origin = await listen(app, port, host);
    let operatorUrl: string | null = null;
    if (operatorPort !== undefined) {
      const operator = await buildOperatorApp({ store, now: rest.now ?? (() => new Date()) });
      apps.push(operator);
      operatorUrl = `${await listen(operator, operatorPort, '127.0.0.1')}${OPERATOR_PREFIX}/`;
    }
    return { url: `${origin}${BASE_PATH}/`, docsUrl: `${origin}/docs`, operatorUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Listens, and returns the origin under which a program on this machine reaches it. */
async function listen(app: FastifyInstance, port: number, host: string): Promise<string> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code ?? message})`;
    throw new UsageError(`port ${port} of ${host} ${why}`, 'Choose another port; 0 takes a free one.', {
      cause: error,
    });
  }
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${(app.server.address() as AddressInfo).port}`;
}
