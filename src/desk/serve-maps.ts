import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSeen } from '../app/desk/seen.ts';
import { readUnmapped, saveReadingMap } from '../app/import/column-map.ts';
import { RemitError, UsageError } from '../base/errors.ts';
import { type ConfigSources, loadConfig } from '../config/index.ts';
import { because } from '../words/errors/desk.ts';
import { API, sendJson, sendPage, shapeOf } from './answer.ts';
import type { Uploaded } from './deciding/act.ts';
import { readSent } from './deciding/body.ts';
import { type BringBody, KINDS, previewFiles } from './deciding/imports.ts';
import type { Turns } from './deciding/once.ts';
import { ownerOf, type Staged } from './deciding/staged.ts';
import type { Desk } from './desk.ts';
import { contextOf } from './make-context.ts';
import type { Models } from './models.ts';
import { Refusal } from './refusal.ts';

type Kind = (typeof KINDS)[number];

interface Serving {
  readonly desk: Desk;
  readonly staged: Staged;
  readonly turns: Turns;
  readonly sources: ConfigSources;
  readonly readOnly: boolean;
}

/** Serves the page on which a person says what the columns of a file are, and keeps it as a map. */
export function serveMaps(app: FastifyInstance, { desk, staged, turns, sources, readOnly }: Serving): void {
  const contextFor = async (request: FastifyRequest) => {
    const [, search] = request.url.split('?');
    const seen = await readSeen(desk.books);
    return contextOf(request, desk, { readOnly, path: '/maps/new', query: new URLSearchParams(search), seen });
  };
  const wizard = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: {
      readonly key: string;
      readonly kind: Kind;
      readonly values: URLSearchParams;
      readonly why: RemitError | null;
    },
  ) => {
    const { key, kind, values, why } = asked;
    const file = fileOf(staged, key, request);
    const table = await readUnmapped(kind, file);
    const model: Models['map'] = {
      ...table,
      file: file.name,
      staged: key,
      kind,
      values,
      why: why?.explanation ?? null,
    };
    if (why) reply.status(422);
    if (shapeOf(request) !== 'html') return sendJson(reply, { ...table, file: file.name, kind });
    return sendPage(reply, 'map', model, await contextFor(request));
  };
  for (const url of ['/maps/new', `${API}/maps/new`]) {
    app.get(url, (request, reply) => {
      const { import: key = '', kind, account } = request.query as Readonly<Record<string, string | undefined>>;
      const values = new URLSearchParams(account ? { account } : {});
      return wizard(request, reply, { key, kind: kindOf(kind), values, why: null });
    });
  }
  app.post('/maps', async (request, reply) => {
    if (request.who?.kind !== 'person') throw new Refusal(403, 'for-people', because({ id: 'maps-by-people' }));
    if (request.isMultipart()) throw new Refusal(400, 'request', because({ id: 'no-files' }));
    const { form } = await readSent(request);
    const values = form ?? new URLSearchParams();
    const [key, kind] = [values.get('staged') ?? '', kindOf(values.get('kind') ?? undefined)];
    const file = fileOf(staged, key, request);
    const by = request.who.user;
    try {
      const { headers } = await readUnmapped(kind, file);
      // One after the other, each with the settings of its turn.
      const model = await turns.take(async () => {
        const config = await loadConfig(sources);
        const books = { ...desk.books, config, onRecord: false };
        const name = values.get('name')?.trim() ?? '';
        const settings = await saveReadingMap(books, { name, kind, ...mapOf(values, headers) }, file);
        const own = { ...books, config: { ...config, maps: { ...config.maps, [name]: settings } } };
        return previewFiles(own, by, [file], { kind, map: name });
      });
      const body: BringBody = { kind, map: values.get('name')!.trim() };
      return sendPage(reply, 'files', { ...model, staged: key, unread: [], body }, await contextFor(request));
    } catch (error) {
      if (!(error instanceof RemitError)) throw error;
      return wizard(request, reply, { key, kind, values, why: error });
    }
  });
}

/** @throws UsageError where it waits no longer, or not for whoever asks */
function fileOf(staged: Staged, key: string, { who }: FastifyRequest): Uploaded {
  const [file] = staged.take(key, ownerOf(who));
  if (!file) throw new UsageError(because({ id: 'no-file' }));
  return file;
}

function kindOf(text: string | undefined): Kind {
  return KINDS.find((kind) => kind === text) ?? 'receipts';
}

const LONGEST_STYLE = 200;
const STYLES = ['date', 'decimal', 'thousands', 'currency', 'account', 'delimiter', 'encoding', 'sheet'] as const;

/** What was filled in, as a map: a field a column, and how its values are written. */
function mapOf(values: URLSearchParams, headers: readonly string[]) {
  const columns = headers.flatMap((header, place) => {
    const field = values.get(`column-${place}`);
    return field ? [[field, header] as const] : [];
  });
  const styles = STYLES.flatMap((name) => {
    const text = values.get(name);
    if (text && text.length > LONGEST_STYLE)
      throw new UsageError(because({ id: 'too-long', most: LONGEST_STYLE })).at(name);
    return text ? [[name, text] as const] : [];
  });
  return { columns: Object.fromEntries(columns), ...Object.fromEntries(styles) } as {
    readonly columns: Record<string, string>;
  };
}
