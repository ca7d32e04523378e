import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type MadeBooks, makeBooks, probeNewAccount } from '../app/init.ts';
import { RemitError, UsageError } from '../base/errors.ts';
import { deskError } from '../words/errors/desk.ts';
import { sendHtml } from './answer.ts';
import { FIELDS_LIMIT, fieldsOf } from './deciding/body.ts';
import { Door } from './door/door.ts';
import { isReading, requireHost, requireOwnPage } from './door/guard.ts';
import { requestedLanguage } from './languages.ts';
import { type SetupFault, SetupPage } from './pages/setup.tsx';
import { Refusal } from './refusal.ts';
import { serveAssets } from './serve-assets.ts';
import {
  addressOf,
  listen,
  newDeskServer,
  notLetIn,
  REQUEST_TIMEOUT_MS,
  type RunningDesk,
  type SetupListener,
  serveDoor,
} from './server.ts';

const MOST_CHARACTERS = 500;

export interface SetupOptions {
  readonly folder: string;
  readonly user: string;
  readonly now: () => Date;
  readonly port: number;
  /** The time zone that the form proposes. */
  readonly timeZone: string;
  readonly onFailure: (error: unknown) => void;
  /** Makes the books of a demo in the folder. */
  readonly demo: () => Promise<void>;
  /** Opens the desk of the books that were made. */
  readonly open: (setupListener: SetupListener) => Promise<RunningDesk>;
}

/** Serves the set-up of a folder without books, and then, at the same address, the desk of the books that it made. */
export async function startSetup(options: SetupOptions): Promise<RunningDesk> {
  const { folder, user, now, port, timeZone, onFailure } = options;
  const door = new Door(user, now);
  // The desk calls it when it is ready, and answers all requests from then on. Set when the server is made.
  let takeOver: SetupListener['takeOver'] = () => {};
  // Without books no page has a menu: a refusal is a plain page.
  const app = newDeskServer({ onFailure, contextFor: async () => null }, (setupHandler) => {
    let currentHandler: Parameters<SetupListener['takeOver']>[0] = setupHandler;
    takeOver = (deskHandler) => {
      currentHandler = deskHandler;
    };
    const server = createServer({ requireHostHeader: false }, (request, reply) => currentHandler(request, reply));
    server.requestTimeout = REQUEST_TIMEOUT_MS;
    return server;
  });
  let address = addressOf('http://127.0.0.1');
  let desk: RunningDesk | null = null;
  // Whether books are being made, or were made.
  let isBusy = false;
  await app.register(cookie);
  await app.register(formbody, { bodyLimit: FIELDS_LIMIT, parser: fieldsOf as never });
  app.addHook('onRequest', async (request) => {
    requireHost(request, address);
    if (request.url.split('?')[0] === '/open') return;
    request.who = door.who(request);
    if (request.who === null) throw notLetIn();
    if (!isReading(request)) requireOwnPage(request, address);
  });
  serveDoor(app, door);
  serveAssets(app);
  const page = (request: FastifyRequest, reply: FastifyReply, fault: SetupFault | null) => {
    return sendHtml(reply, SetupPage({ language: requestedLanguage(request), timeZone, user, fault }));
  };
  app.get('/setup', (request, reply) => page(request, reply, null));
  app.get('/*', (_, reply) => reply.redirect('/setup', 303));
  app.post('/setup', async (request, reply) => {
    if (isBusy) throw new Refusal(409, 'conflict', deskError({ id: 'set-up-already' }));
    isBusy = true;
    let madeBooks: MadeBooks | null = null;
    const values = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    try {
      const isDemo = values.get('how') === 'demo';
      if (isDemo) await options.demo();
      else madeBooks = await setUp(folder, values);
      desk = await options.open({ door, origin: address.origin, takeOver });
      // A courier with an API is synced at once; the sheets of others are imported by hand.
      return reply.redirect(madeBooks?.first === 'sync' ? desk.beginSync() : '/', 303);
    } catch (error) {
      isBusy = false;
      // The books could not be made or opened: the next try starts over.
      const files = madeBooks ? [madeBooks.settings, madeBooks.key].filter((file) => file !== null) : [];
      for (const file of files) await rm(file, { force: true });
      if (!(error instanceof RemitError)) throw error;
      const { explanation, field } = error;
      return page(request, reply.status(422), { explanation, field, values });
    }
  });
  const listens = await listen(app, port);
  address = addressOf(listens);
  door.cookie = `remit_desk_${new URL(listens).port}`;
  const close = async () => {
    await desk?.close();
    await app.close();
  };
  const openUrl = `${listens}${door.path()}`;
  return { url: `${listens}/`, openUrl, entered: door.entered, listens, beginSync: () => desk!.beginSync(), close };
}

/** Makes the books as the form says, if the courier's account answers. @throws RemitError naming the field at fault */
async function setUp(folder: string, values: URLSearchParams): Promise<MadeBooks> {
  const text = (name: string) => {
    const typed = values.get(name)?.trim() || null;
    if (typed !== null && typed.length > MOST_CHARACTERS)
      throw new UsageError(deskError({ id: 'too-long', most: MOST_CHARACTERS })).at(name);
    return typed;
  };
  const apiUrl = text('api_url');
  const key = text('api_key');
  // The couriers that send settlement sheets, and have no API.
  const sheetsOf = [...new Set((text('sheets_of') ?? '').split(/[\s,]+/).filter((name) => name !== ''))];
  if (apiUrl !== null) await probeNewAccount(apiUrl, key);
  return makeBooks({
    folder,
    apiUrl,
    sheetsOf,
    key: apiUrl === null ? null : key,
    keyFile: null,
    keyCommand: null,
    timeZone: text('time_zone') ?? 'UTC',
    baseCurrency: text('base_currency')?.toUpperCase() ?? null,
    payers: (text('payers') ?? '')
      .split(',')
      .map((payer) => payer.trim())
      .filter((payer) => payer !== ''),
    names: {
      merchant_name: text('merchant_name'),
      merchant_address: null,
      courier_title: apiUrl === null ? null : text('courier_title'),
      courier_address: null,
      courier_email: null,
    },
  });
}
