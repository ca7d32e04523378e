import type { FastifyRequest } from 'fastify';
import { isLanguageCode, type LanguageCode } from '../words/index.ts';

/** The first language of an `Accept-Language` header that remit speaks; English where it names none. */
export function acceptedLanguage(header: string | undefined): LanguageCode {
  const wanted = (header ?? '')
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined);
      return { code: tag.split('-')[0]!.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wanted.map(({ code }) => code).find(isLanguageCode) ?? 'en';
}

/** The language of an answer: that which the address names, else the session's, else the first that the browser accepts. */
export function requestedLanguage({ who, headers, query }: FastifyRequest): LanguageCode {
  const { lang } = (query ?? {}) as { lang?: unknown };
  if (typeof lang === 'string' && isLanguageCode(lang)) return lang;
  return (who?.kind === 'person' ? who.session.language : null) ?? acceptedLanguage(headers['accept-language']);
}
