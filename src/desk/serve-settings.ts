import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Books } from '../app/books.ts';
import { saveReadingMap, saveRenamed } from '../app/import/column-map.ts';
import { recogniseKind } from '../app/import/read-by-map.ts';
import { kindByHeader, mapSoFar, readUnmapped, type TriedMap, tryMap } from '../app/import/unmapped.ts';
import { savePayer } from '../app/match/suggested-payers.ts';
import { RemitError, UsageError } from '../base/errors.ts';
import { type ConfigSources, loadConfig } from '../config/index.ts';
import { deskError } from '../words/errors/desk.ts';
import { sendJson, sendPage, serveAt, shapeOf } from './answer.ts';
import { readSent } from './deciding/body.ts';
import { type ImportBody, KINDS, previewFiles } from './deciding/imports.ts';
import type { Turns } from './deciding/once.ts';
import type { Uploaded } from './deciding/route.ts';
import { ownerOf, type Staged } from './deciding/staged.ts';
import type { Desk } from './desk.ts';
import { contextAt } from './make-context.ts';
import type { Models } from './models.ts';
import { booksOfCourier } from './reading/address.ts';
import { Refusal } from './refusal.ts';
import { checkAgain } from './serve-decisions.ts';

type Kind = (typeof KINDS)[number];

const MAP_PAGE = '/maps/new';

interface Serving {
  readonly desk: Desk;
  /** The files whose preview was shown, by the name under which each waits for the next form. */
  readonly staged: Staged;
  /** One change of the settings or the books after the other. */
  readonly turns: Turns;
  readonly sources: ConfigSources;
}

/** Serves what a person can add to remit.toml at the desk: the column map of a file, and who pays for a courier. */
export function serveSettings(app: FastifyInstance, serving: Serving): void {
  const showNew = (request: FastifyRequest, reply: FastifyReply) => {
    const parameters = request.query as Readonly<Record<string, string | undefined>>;
    const { import: stagedKey = '', kind, map = null, account, courier } = parameters;
    const values = new URLSearchParams({ ...(account && { account }), ...(courier && { courier }) });
    const form = { stagedKey, kind: kind ? kindOf(kind) : null, map, values, why: null };
    return showMapPage(serving, request, reply, form);
  };
  serveAt(app, MAP_PAGE, { method: 'GET', handler: showNew });
  app.post('/maps', (request, reply) => takeMap(serving, request, reply));
  app.post('/payers', (request, reply) => takePayer(serving, request, reply));
}

interface MapForm {
  /** The name under which the file waits in `staged`. */
  readonly stagedKey: string;
  /** Null if it is to be recognised. */
  readonly kind: Kind | null;
  /**
   * The name of the map that such files had so far; null: it is to be found by the file's columns; empty: there is no
   * such map, and a new one is made.
   */
  readonly map: string | null;
  /** The form as it was filled in. */
  readonly values: URLSearchParams;
  /** Why the last try could not read the file; null if it could, or there was none. */
  readonly why: RemitError | null;
  readonly tried?: TriedMap;
}

async function showMapPage(serving: Serving, request: FastifyRequest, reply: FastifyReply, form: MapForm) {
  const { desk, staged, sources } = serving;
  const { stagedKey, map, values, why, tried = null } = form;
  const file = stagedFile(staged, stagedKey, request);
  const courier = values.get('courier');
  const books = booksOfCourier({ ...desk.books, config: await loadConfig(sources) }, courier);
  const kind = form.kind ?? (await kindIn(books, file, map || null));
  const table = await readUnmapped(kind, file, await mapSoFar(books, { kind, map }, file));
  if (why) reply.status(422);
  if (shapeOf(request) !== 'html') return sendJson(reply, { ...table, file: file.name, kind });
  const explanation = why?.explanation ?? null;
  const model: Models['map'] = { ...table, file: file.name, staged: stagedKey, kind, values, tried, why: explanation };
  const parameters = { import: stagedKey, kind, ...(map !== null && { map }), ...(courier && { courier }) };
  const address = `${MAP_PAGE}?${new URLSearchParams(parameters)}`;
  return sendPage(reply, 'map', model, await contextAt(address, request, desk));
}

/** Tries the map of a form, or saves it and shows what would be imported by it. A refused form is shown again. */
async function takeMap(serving: Serving, request: FastifyRequest, reply: FastifyReply) {
  const { desk, staged, turns, sources } = serving;
  if (request.who?.kind !== 'person') throw new Refusal(403, 'for-people', deskError({ id: 'maps-by-people' }));
  if (request.isMultipart()) throw new Refusal(400, 'request', deskError({ id: 'no-files' }));
  const { form } = await readSent(request);
  const values = form ?? new URLSearchParams();
  const stagedKey = values.get('staged') ?? '';
  const kind = kindOf(values.get('kind') ?? undefined);
  const file = stagedFile(staged, stagedKey, request);
  const by = request.who.user;
  // The name of the map whose columns were renamed; null if a new map is made.
  const changedMap = values.get('changes');
  const name = changedMap ?? values.get('name')?.trim() ?? '';
  const courier = values.get('courier') || undefined;
  const body: ImportBody = { kind, map: name, ...(courier && { courier }) };
  try {
    const { headers } = await readUnmapped(kind, file);
    if (values.get('try') !== null) {
      // Any name will do: nothing is saved.
      const tried = await tryMap({ name: 'mine', kind, ...mapOf(values, headers) }, file, desk.books);
      return showMapPage(serving, request, reply, { stagedKey, kind, map: '', values, why: null, tried });
    }
    // The settings are read anew when it is this form's turn: another form may have changed them. `onRecord: false`:
    // what remit.toml says now counts, and is put on record.
    const previews = await turns.take(async () => {
      const config = await loadConfig(sources);
      const books = { ...desk.books, config, onRecord: false };
      const settings =
        changedMap === null
          ? await saveReadingMap(books, { name, kind, ...mapOf(values, headers) }, file)
          : await saveRenamed(books, name, renamedIn(values, headers), file);
      const withMap = { ...books, config: { ...config, maps: { ...config.maps, [name]: settings } } };
      return previewFiles(withMap, by, [file], body);
    });
    const model = { ...previews, staged: stagedKey, unread: [], body };
    return sendPage(reply, 'files', model, await contextAt(MAP_PAGE, request, desk));
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    return showMapPage(serving, request, reply, { stagedKey, kind, map: changedMap ?? '', values, why: error });
  }
}

/** Adds a payer to the settings, and goes back to what suggested it: the preview of files, or the receipts. */
async function takePayer(serving: Serving, request: FastifyRequest, reply: FastifyReply) {
  const { desk, staged, turns, sources } = serving;
  if (request.who?.kind !== 'person') throw new Refusal(403, 'for-people', deskError({ id: 'payers-by-people' }));
  const { form } = await readSent(request);
  const values = form ?? new URLSearchParams();
  const payer = values.get('payer')?.trim() ?? '';
  if (payer.length > LONGEST) throw new UsageError(deskError({ id: 'too-long', most: LONGEST })).at('payer');
  if (payer === '') throw new UsageError(deskError({ id: 'no-payer' })).at('payer');
  const courier = values.get('pays_for') ?? '';
  const { user: by, session } = request.who;
  const files = staged.filesOf(values.get('staged') ?? '', ownerOf(request.who));
  const body = importBodyOf(values);
  const { previews, unchecked } = await turns.take(async () => {
    await savePayer(await loadConfig(sources), courier, payer);
    // Read again, with the new payer, and put on record.
    const books = { ...desk.books, config: await loadConfig(sources), onRecord: false };
    return files.length === 0
      ? { previews: null, unchecked: await checkAgain(books) }
      : { previews: await previewFiles(books, by, files, body), unchecked: null };
  });
  // The next page says once that the payer is saved. `unchecked`: why the books could not be checked again, if so.
  session.notice = { says: { id: 'payer-saved', payer }, see: null, undo: null, unchecked, isWaiting: false };
  if (previews === null) return reply.redirect('/receipts', 303);
  const model = { ...previews, staged: staged.keep(files, ownerOf(request.who)), unread: [], body };
  return sendPage(reply, 'files', model, await contextAt(MAP_PAGE, request, desk));
}

/** @throws UsageError if the file waits no longer, or belongs to somebody else */
function stagedFile(staged: Staged, key: string, { who }: FastifyRequest): Uploaded {
  const [file] = staged.filesOf(key, ownerOf(who));
  if (!file) throw new UsageError(deskError({ id: 'no-file' }));
  return file;
}

/** How files are to be imported, from the hidden fields of their page's form. */
function importBodyOf(values: URLSearchParams): ImportBody {
  const text = (name: string) => values.get(name) || undefined;
  const [account, map, courier] = [text('account'), text('map'), text('courier')];
  return {
    ...(values.get('kind') && { kind: kindOf(text('kind')) }),
    ...(account && { account }),
    ...(map && { map }),
    ...(courier && { courier }),
    ...(values.get('allow_gap') === 'true' && { allow_gap: true }),
    ...(values.get('replace') === 'true' && { replace: true }),
  };
}

/** The kind that a form names; a bank's lines (`receipts`), if it names none. */
function kindOf(text: string | undefined): Kind {
  return KINDS.find((kind) => kind === text) ?? 'receipts';
}

/** What a file holds; if nothing can read it, what its header is like, and else a bank's lines. */
async function kindIn(books: Books, file: Uploaded, map: string | null): Promise<Kind> {
  try {
    return kindOf(await recogniseKind(books, file, map));
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    return kindOf((await kindByHeader(file)) ?? undefined);
  }
}

/**
 * The new header of each field of a map, null for a column that is gone. In the form, `now-cod` is the column's place
 * in the file, from 0, or `gone`. A field that nobody answered stays as it is.
 */
function renamedIn(values: URLSearchParams, headers: readonly string[]): Record<string, string | null> {
  const answers = [...values].flatMap(([name, place]): [string, string | null][] => {
    const header = place === '' ? undefined : headers[Number(place)];
    if (!name.startsWith('now-') || (header === undefined && place !== 'gone')) return [];
    return [[name.slice('now-'.length), header ?? null]];
  });
  return Object.fromEntries(answers);
}

/** The most characters of a style or a payer. */
const LONGEST = 200;
const STYLES = ['date', 'decimal', 'thousands', 'currency', 'account', 'delimiter', 'encoding', 'sheet'] as const;

/**
 * A map from the form: the column of each field, and how its values are written. In the form, `column-2` is the field
 * of the column at that place in the file, from 0.
 */
function mapOf(values: URLSearchParams, headers: readonly string[]) {
  const columns = headers.flatMap((header, place) => {
    const field = values.get(`column-${place}`);
    return field ? [[field, header] as const] : [];
  });
  const styles = STYLES.flatMap((name) => {
    const text = values.get(name);
    if (text && text.length > LONGEST) throw new UsageError(deskError({ id: 'too-long', most: LONGEST })).at(name);
    return text ? [[name, text] as const] : [];
  });
  return { columns: Object.fromEntries(columns), ...Object.fromEntries(styles) } as {
    readonly columns: Record<string, string>;
  };
}
