import { Writable } from 'node:stream';
import { Agent, request } from 'undici';
import { run } from '../../src/cli/run.ts';

/** An answer of the desk, with its body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A desk that runs, and a person's browser at it. */
export interface RunningDesk {
  readonly url: string;
  readonly origin: string;
  readonly openUrl: string;
  /** Where it listens: an address, or a socket. */
  readonly listens: string;
  /** The cookie of the person who was let in: `name=value`. */
  cookie: string;
  /** Sends a request as it is. */
  send(path: string, sent?: Sent): Promise<Answer>;
  /** Lets the person in with the link that was printed. */
  enter(): Promise<Answer>;
  /** A page as JSON, of the person who is let in. */
  json<T>(path: string): Promise<T>;
  /** A form as the person's browser sends it. */
  submit(path: string, fields: Readonly<Record<string, string | readonly string[]>>, more?: Sent): Promise<Answer>;
  /** Files as the person's browser sends them. */
  upload(path: string, files: Readonly<Record<string, string>>, fields?: object, accept?: string): Promise<Answer>;
  /** JSON as a page's script sends it. */
  post(path: string, body: object, more?: Sent): Promise<Answer>;
  readonly stderr: () => string;
  stop(): Promise<number>;
}

interface Surroundings {
  readonly cwd: string;
  readonly now?: () => Date;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `remit serve` in a books folder, in this process, on a free port. */
export async function startDesk(
  argv: readonly string[],
  { cwd, now = () => new Date('2026-11-10T09:00:00Z'), env = {} }: Surroundings,
): Promise<RunningDesk> {
  const stopping = new AbortController();
  const [stdout, stderr] = [new Heard(), new Heard()];
  const ended = run(['serve', '--by', 'rana', ...argv, '--json'], {
    ...surroundings(stdout, stopping.signal, stderr),
    env: { TZ: 'UTC', ...env },
    cwd,
    now,
  });
  const printed = await Promise.race([stdout.line(), ended.then((code) => `ended with ${code}: ${stderr.text}`)]);
  if (!printed.startsWith('{')) throw new Error(printed);
  const printedJson = JSON.parse(printed) as { url: string; open_url: string; listens: string };
  const { url, open_url: openUrl, listens } = printedJson;
  const isSocket = !listens.startsWith('http:');
  const dispatcher = isSocket ? new Agent({ connect: { socketPath: listens } }) : undefined;
  const { origin } = new URL(url);
  const desk: RunningDesk = {
    url,
    origin,
    openUrl,
    listens,
    cookie: '',
    stderr: () => stderr.text,
    async send(path, { method = 'GET', headers = {}, body } = {}) {
      const answer = await request(new URL(path, isSocket ? 'http://localhost/' : listens), {
        method,
        headers,
        body: body ?? null,
        ...(dispatcher ? { dispatcher } : {}),
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },
    async enter() {
      const answer = await desk.send(openUrl);
      desk.cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0]!;
      return answer;
    },
    async json(path) {
      const answer = await desk.send(path, { headers: { cookie: desk.cookie, accept: 'application/json' } });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      return JSON.parse(answer.text);
    },
    submit(path, fields, { headers = {} } = {}) {
      const body = new URLSearchParams(
        Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
      ).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return desk.send(path, { method: 'POST', headers: { ...own(desk), ...type, ...headers }, body });
    },
    upload(path, files, fields = {}, accept = 'text/html') {
      const part = (head: string, content: string) =>
        `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
      const body = [
        ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, String(value))),
        ...Object.entries(files).map(([name, content]) => part(`name="file"; filename="${name}"`, content)),
        '--x--\r\n',
      ].join('');
      const headers = { ...own(desk), accept, 'content-type': 'multipart/form-data; boundary=x' };
      return desk.send(path, { method: 'POST', headers, body });
    },
    post(path, body, { headers = {} } = {}) {
      const type = { 'content-type': 'application/json', accept: 'application/json' };
      return desk.send(path, {
        method: 'POST',
        headers: { ...own(desk), ...type, ...headers },
        body: JSON.stringify(body),
      });
    },
    async stop() {
      stopping.abort();
      return ended;
    },
  };
  return desk;
}

/** What a command is run in, but for its folder. */
export function surroundings(stdout: Writable, signal: AbortSignal, stderr: Writable = new Heard()) {
  return {
    stdin: process.stdin,
    stdout,
    stderr,
    env: { TZ: 'UTC' },
    now: () => new Date('2026-11-10T09:00:00Z'),
    isTTY: { stdin: false, stdout: false, stderr: false },
    program: 'remit',
    signal,
  };
}

/** What a browser sends from a page of the desk. */
function own({ cookie, origin }: Pick<RunningDesk, 'cookie' | 'origin'>): Record<string, string> {
  return { cookie, origin, 'sec-fetch-site': 'same-origin' };
}

export class Heard extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.emit('heard');
    done();
  }

  /** The first whole line. */
  line(): Promise<string> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.text.includes('\n')) resolve(this.text.split('\n')[0]!);
      };
      this.on('heard', look);
      look();
    });
  }
}
