import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import qs from 'qs';
import { BODY_LIMIT, ServiceError, tooLarge, toServiceError } from './errors.ts';

/** A request's body. In a form, all values are texts. */
interface Body {
  /** Undefined if there was no body. */
  readonly value: unknown;
  readonly isForm: boolean;
}

const NO_BODY: Body = { value: undefined, isForm: false };

const unreadable = (why: string) => new ServiceError(400, `body: ${why}`);

/**
 * Makes the service accept the three encodings of the spec ('Common conventions'). Other content types and compressed
 * bodies get 415.
 */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding === 'identity') done(null, payload);
    else done(new ServiceError(415, 'Content-Encoding: Compressed bodies are not accepted.'));
  });
  const asBuffer = { parseAs: 'buffer' } as const;
  app.addContentTypeParser('application/json', asBuffer, async (_request: unknown, bytes: Buffer) => {
    const text = utf8(bytes);
    if (text === '') return NO_BODY;
    try {
      return { value: JSON.parse(text), isForm: false };
    } catch {
      throw unreadable('Not valid JSON.');
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', asBuffer, async (_request: unknown, bytes: Buffer) => {
    return { value: parseForm(utf8(bytes)), isForm: true };
  });
  await app.register(multipart, {
    limits: {
      fieldNameSize: 200,
      fieldSize: BODY_LIMIT,
      fields: MAX_FIELDS,
      parts: MAX_FIELDS,
      files: 1,
      headerPairs: 20,
    },
  });
}

const MAX_FIELDS = 1_000;

/** Reads a request's body in any of the encodings. @throws ServiceError 400 or 413 */
export async function readRequestBody(request: FastifyRequest): Promise<Body> {
  if (request.isMultipart()) return readMultipart(request);
  return (request.body as Body | null | undefined) ?? NO_BODY;
}

async function readMultipart(request: FastifyRequest): Promise<Body> {
  // The plugin reads part by part and has no limit for the whole body.
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) throw tooLarge();
  const fields: string[] = [];
  let size = 0;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') throw new ServiceError(400, `${part.fieldname.slice(0, 80)}: Files are not accepted.`);
      const value = String(part.value);
      size += part.fieldname.length + Buffer.byteLength(value);
      if (size > BODY_LIMIT || part.valueTruncated) throw tooLarge();
      // As a form has it, so that one parser reads the nested names of both, such as `cod[0][1]`.
      fields.push(`${encodeURIComponent(part.fieldname)}=${encodeURIComponent(value)}`);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw toServiceError(error).status === 413 ? tooLarge() : unreadable('Not a valid multipart body.');
  }
  return { value: parseForm(fields.join('&')), isForm: true };
}

function parseForm(text: string): unknown {
  try {
    return qs.parse(text, {
      depth: 5,
      strictDepth: true,
      parameterLimit: MAX_FIELDS,
      arrayLimit: MAX_FIELDS,
      throwOnLimitExceeded: true,
      plainObjects: true,
    });
  } catch {
    throw unreadable('The form has too many fields, or nests them too deeply.');
  }
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('Not valid UTF-8.');
  }
}
