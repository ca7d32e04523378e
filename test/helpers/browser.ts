/** A headless Chromium, spoken to over two pipes: tests that use it are skipped on machines without one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const CHROMIUM = [process.env.REMIT_TEST_CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => name && spawnSync(name, ['--version']).status === 0,
);
export const hasChromium = CHROMIUM !== undefined;

export interface Look {
  /** How wide the window is, in pixels. */
  readonly width: number;
  readonly dark?: boolean;
  /** As it is printed, on a sheet as wide as the window. */
  readonly print?: boolean;
}

/** What a page did that a document should not. */
export interface Misdeeds {
  readonly errors: readonly string[];
  readonly requests: readonly string[];
}

export interface Page {
  /** Opens a file, and comes back when it is loaded. */
  open(file: string, look: Look): Promise<void>;
  /** The value of an expression in the page, as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Every message on the console and every request but for the file itself, since the page was opened first. */
  misdeeds(): Misdeeds;
}

type Message = {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
};

/** Starts a browser, lends a page of it, and ends it whatever happens. */
export async function usingBrowser<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const profile = mkdtempSync(path.join(tmpdir(), 'remit-browser-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-pipe'];
  const browser = spawn(CHROMIUM!, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => browser.on('close', resolve));
  try {
    return await use(await pageOf(browser));
  } finally {
    // Closed rather than killed: what it started ends with it, and its folder can be removed.
    (browser.stdio[3] as Writable).write(`${JSON.stringify({ id: 0, method: 'Browser.close' })}\0`);
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function pageOf(browser: ChildProcess): Promise<Page> {
  const errors: string[] = [];
  const requests: string[] = [];
  let opened = '';
  const loaded = new Set<() => void>();
  const send = connected(browser, ({ method, params = {} }) => {
    if (method === 'Page.loadEventFired') for (const done of loaded) done();
    if (method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') {
      errors.push(JSON.stringify(params));
    }
    if (method !== 'Network.requestWillBeSent') return;
    const { url } = params.request as { url: string };
    if (url !== opened) requests.push(url);
  });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const tell = (method: string, params: object = {}) => send(method, params, sessionId as string);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tell(`${domain}.enable`);
  return {
    async open(file, { width, dark = false, print = false }) {
      await tell('Emulation.setDeviceMetricsOverride', {
        width,
        height: 900,
        deviceScaleFactor: 1,
        mobile: width < 500,
      });
      const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
      await tell('Emulation.setEmulatedMedia', { media: print ? 'print' : '', features });
      opened = pathToFileURL(file).href;
      const done = new Promise<void>((resolve) => loaded.add(resolve));
      await tell('Page.navigate', { url: opened });
      await done;
      loaded.clear();
    },
    async evaluate<T>(expression: string) {
      const { result } = await tell('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
      return (result as { value: T }).value;
    },
    misdeeds: () => ({ errors, requests }),
  };
}

/** Messages are JSON, each ended by a zero byte. */
function connected(browser: ChildProcess, hear: (message: Message) => void) {
  const [, , , to, from] = browser.stdio as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (message: Message) => void>();
  let last = 0;
  let rest = '';
  from.setEncoding('utf8').on('data', (piece: string) => {
    const texts = (rest + piece).split('\0');
    rest = texts.pop()!;
    for (const text of texts) {
      const message = JSON.parse(text) as Message;
      const answer = message.id === undefined ? undefined : waiting.get(message.id);
      if (answer) answer(message);
      else hear(message);
    }
  });
  return (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      });
      to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
}
