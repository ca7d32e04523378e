import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../base/errors.ts';
import { type AppOptions, BASE_PATH, buildApp } from './app.ts';
import { buildOperatorApp, OPERATOR_PREFIX } from './operator/app.ts';
import { openStore } from './store/open.ts';
import { WebhookSender } from './webhooks/sender.ts';

export type { ResultShape } from './http/shapes.ts';

export interface SandboxOptions extends Omit<AppOptions, 'store'> {
  /** The service's file, which must exist. */
  file: string;
  /** 0 chooses a free port. */
  port: number;
  host: string;
  /** Serves the operator's API too, always on the loopback interface; 0 chooses a free port. */
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
 * @throws FileError when the file cannot be opened, UsageError when a port is not available
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { file, port, host, operatorPort, ...appOptions } = options;
  const store = openStore(file, { mustExist: true });
  const apps: FastifyInstance[] = [];
  let sender: WebhookSender | null = null;
  const close = async (): Promise<void> => {
    await sender?.close();
    for (const app of apps) await app.close();
    store.close();
  };
  try {
    const app = await buildApp({ ...appOptions, host, store });
    apps.push(app);
    const origin = await listen(app, port, host);
    let operatorUrl: string | null = null;
    if (operatorPort !== undefined) {
      const operator = await buildOperatorApp({ store, now: appOptions.now ?? (() => new Date()) });
      apps.push(operator);
      operatorUrl = `${await listen(operator, operatorPort, '127.0.0.1')}${OPERATOR_PREFIX}/`;
    }
    sender = new WebhookSender(store, origin, appOptions.faults);
    return { url: `${origin}${BASE_PATH}/`, docsUrl: `${origin}/docs`, operatorUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Listens. @returns the origin at which a program on this machine reaches the service */
async function listen(app: FastifyInstance, port: number, host: string): Promise<string> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL' || code === 'EAI_AGAIN') {
      const hint = 'Name an address or a name of this machine with --host, such as 127.0.0.1.';
      throw new UsageError(`this machine has no address ${host}`, hint, { cause: error });
    }
    let why = `is not available (${code ?? message})`;
    if (code === 'EADDRINUSE') why = 'is in use by another program';
    if (code === 'ERR_SOCKET_BAD_PORT') why = 'does not exist: ports end at 65535';
    const hint = 'Choose another port; 0 chooses a free one.';
    throw new UsageError(`port ${port} of ${host} ${why}`, hint, { cause: error });
  }
  let name = host.includes(':') ? `[${host}]` : host;
  if (host === '0.0.0.0' || host === '::') name = '127.0.0.1';
  return `http://${name}:${(app.server.address() as AddressInfo).port}`;
}
