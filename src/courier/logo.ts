import { request } from 'undici';

const MAX_LOGO_BYTES = 1_000_000;
const LOGO_TIMEOUT_MS = 3_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Fetches the organisation's logo (spec, 'Organisation profile': `logo_url`). It may be on any server, so the API key
 * is not sent, redirects are not followed, and the address must be https or on the API's own origin.
 *
 * @returns the picture's bytes; null when it cannot be fetched, is no PNG or JPEG, or is over 1 MB
 */
export async function fetchLogo(logoUrl: string, baseUrl: string): Promise<Buffer | null> {
  try {
    const url = new URL(logoUrl, baseUrl);
    if (url.protocol !== 'https:' && url.origin !== new URL(baseUrl).origin) return null;
    const answer = await request(url, { signal: AbortSignal.timeout(LOGO_TIMEOUT_MS) });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (answer.statusCode !== 200 || size > MAX_LOGO_BYTES) {
        answer.body.destroy();
        return null;
      }
      chunks.push(chunk);
    }
    const picture = Buffer.concat(chunks);
    return [PNG, JPEG].some((magic) => picture.subarray(0, magic.length).equals(magic)) ? picture : null;
  } catch {
    return null;
  }
}
