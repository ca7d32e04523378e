import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyRequest } from 'fastify';
import { AMOUNT } from '../../app/decisions/decision.ts';
import type { Explanation } from '../../base/errors.ts';
import { deskError } from '../../words/errors/desk.ts';
import { Refusal } from '../refusal.ts';
import type { Uploaded } from './route.ts';

/** The most bytes of a form without files, or of all fields that come with files. */
export const FIELDS_LIMIT = 1 << 20;
export const FILE_LIMIT = 32 << 20;
export const MOST_FIELDS = 1_000;
export const MOST_FILES = 10;

export interface Sent {
  /** A form's fields, of which several may have one name, as `ids`; null if JSON was sent. */
  readonly form: URLSearchParams | null;
  readonly json: unknown;
  readonly files: readonly Uploaded[];
}

/** A request beyond the limits: what remains of it is not read. */
function tooLarge(): Refusal {
  return new Refusal(413, 'too-large', deskError({ id: 'too-large-with-files', files: MOST_FILES }));
}

/** A form's fields. @throws Refusal 413 for more than 1,000, before they are parsed */
export function fieldsOf(text: string): URLSearchParams {
  let count = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count += 1;
  if (count > MOST_FIELDS) throw tooLarge();
  return new URLSearchParams(text);
}

/** Reads what was sent. @throws Refusal 413 if a file, the fields or their number are beyond the limits */
export async function readSent(request: FastifyRequest): Promise<Sent> {
  if (!request.isMultipart()) {
    const { body } = request;
    return body instanceof URLSearchParams
      ? { form: body, json: null, files: [] }
      : { form: null, json: body ?? {}, files: [] };
  }
  if (Number(request.headers['content-length'] ?? 0) > MOST_FILES * FILE_LIMIT + FIELDS_LIMIT) throw tooLarge();
  const form = new URLSearchParams();
  const files: Uploaded[] = [];
  let bytesLeft = FIELDS_LIMIT;
  for await (const part of partsOf(request)) {
    if (part.type === 'file') {
      const file = await fileOf(part);
      // A browser sends an empty file if none was chosen.
      if (file.name !== '' || file.bytes.length > 0) files.push(file);
      continue;
    }
    const value = String(part.value);
    bytesLeft -= Buffer.byteLength(value);
    if (bytesLeft < 0 || part.valueTruncated) throw tooLarge();
    form.append(part.fieldname, value);
  }
  return { form, json: null, files };
}

/** The fields and files of a form. @throws Refusal 400 for a form that breaks off or is malformed */
async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart> {
  try {
    yield* request.parts();
  } catch (error) {
    throw asRefusal(error);
  }
}

async function fileOf(part: MultipartFile): Promise<Uploaded> {
  try {
    return { name: part.filename ?? '', bytes: await part.toBuffer() };
  } catch (error) {
    throw asRefusal(error);
  }
}

/** An error of the form's parser as a refusal. The error for a file over the limit has a status: it stays as it is. */
function asRefusal(error: unknown): unknown {
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_FILES_LIMIT') {
    return new Refusal(413, 'too-large', deskError({ id: 'too-many-files', files: MOST_FILES }));
  }
  if (statusCode !== undefined) return error;
  return new Refusal(400, 'request', deskError({ id: 'not-understood', why: (error as Error).message }));
}

/** The hidden fields of every form: `form` is its name, `back` the page to go back to. Null if it has none. */
export function hiddenFieldsOf({ form }: Sent) {
  return { form: form?.get('form') || null, back: form?.get('back') || null };
}

/** The body of a decision, checked by its schema. @throws Refusal 400 naming the field at fault */
export function bodyOf<Schema extends TObject>(schema: Schema, { form, json }: Sent): Static<Schema> {
  const body = form ? fromForm(schema, form) : json;
  if (Value.Check(schema, body)) return body;
  const fault = Value.Errors(schema, body).First();
  // `/ids/0`: the path of the value at fault in the body; empty for the body itself.
  const { path = '', message = 'this is no such decision' } = fault ?? {};
  const field = path.split('/')[1] ?? null;
  const why =
    (form && field !== null ? whyOfField(schema, form, field) : null) ??
    deskError({ id: 'not-as-described', field: path, why: message });
  throw new Refusal(400, 'request', why).at(field);
}

/** What is wrong with a field of a form, for a person; null if only the schema can say it. */
function whyOfField(schema: TObject, form: URLSearchParams, field: string): Explanation | null {
  const text = form.get(field);
  if (!text) return deskError({ id: EMPTY[field] ?? 'field-empty' });
  const property = schema.properties[field];
  if (isAmount(property)) return deskError({ id: 'not-an-amount' });
  const most = property?.maxLength;
  return most !== undefined && text.length > most ? deskError({ id: 'too-long', most }) : null;
}

function isAmount(property: TSchema | undefined): boolean {
  return property !== undefined && property.pattern === AMOUNT.pattern;
}

/** An amount as the desk prints it: `4,000,000.00`. Without its cents, `1,750` could be a decimal comma. */
const GROUPED = /^-?\d{1,3}(,\d{3})+\.\d{2,4}$/;

/** An amount that a person wrote, as programs write it. */
function amountOf(text: string): string {
  const amount = text.trim();
  return GROUPED.test(amount) ? amount.replaceAll(',', '') : amount;
}

/** What is said of a choice that was not made; of any other field, that it is empty. */
const EMPTY: Readonly<Record<string, 'nothing-chosen' | 'no-receipt-chosen' | 'no-invoice-chosen'>> = {
  ids: 'nothing-chosen',
  receipt: 'no-receipt-chosen',
  invoices: 'no-invoice-chosen',
};

/** A form's texts as the values of a schema. An empty field counts as left out, unless a text is required. */
function fromForm(schema: TObject, form: URLSearchParams): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const required = schema.required ?? [];
  for (const name of new Set(form.keys())) {
    const property = schema.properties[name];
    const values = form.getAll(name);
    // One form may have a button for each of several decisions: each takes its own fields.
    if (property === undefined) continue;
    const [text = ''] = values;
    const mayBeEmpty = property.type === 'string' && required.includes(name);
    if (property.type === 'array') body[name] = listOf(property.items.type, values);
    else if (isAmount(property) && text !== '') body[name] = amountOf(text);
    else if (text !== '' || mayBeEmpty) body[name] = typedValue(property.type, text);
  }
  return body;
}

/**
 * The values of several fields of one name, or of one field with several values: `10001, 10002`. Invoices, whose schema
 * has no type, are separated by commas and line breaks alone: the number of a payout may have blanks (`PAY 12`).
 */
function listOf(type: string | undefined, values: readonly string[]): unknown[] {
  const separators = type === undefined ? /[,\r\n]/ : /[\s,]/;
  const words = values.flatMap((value) => value.split(separators)).map((word) => word.trim());
  return words.filter((word) => word !== '').map((word) => typedValue(type, word));
}

/** A text as a value of its schema's type; as it is if it is no such value, for the schema to refuse. */
function typedValue(type: string | undefined, text: string): unknown {
  // The schema of an invoice is a union of number and text, without a type. The number `00123` of a payout is a text.
  if (type === undefined) return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
  if (type === 'integer') return /^\d{1,15}$/.test(text.trim()) ? Number(text) : text;
  if (type === 'boolean') return ['on', 'true', '1', 'yes'].includes(text);
  return text;
}
