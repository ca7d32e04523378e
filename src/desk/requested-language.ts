import type { FastifyRequest } from 'fastify';
import { isLanguageCode, type LanguageCode } from '../words/index.ts';

/** The most tags of a header that are read: nobody speaks more languages. */
const MOST_TAGS = 20;

/** The one of remit's languages that an `Accept-Language` header prefers; English if it names none of them. */
export function acceptedLanguage(header: string | undefined): LanguageCode {
  const wanted = (header ?? '')
    .split(',')
    .slice(0, MOST_TAGS)
    .map((part) => {
      // `ar-LB;q=0.8`
      const [tag = '', ...parameters] = part.trim().split(';');
      const qualities = parameters.flatMap((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1] ?? []);
      return { code: tag.trim().split('-')[0]!.toLowerCase(), quality: Number(qualities[0] ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wanted.map(({ code }) => code).find(isLanguageCode) ?? 'en';
}

/** The language of an answer: the address's `lang`, else the session's, else the browser's. */
export function requestedLanguage({ who, headers, query }: FastifyRequest): LanguageCode {
  const { lang } = (query ?? {}) as { lang?: unknown };
  if (typeof lang === 'string' && isLanguageCode(lang)) return lang;
  return (who?.kind === 'person' ? who.session.language : null) ?? acceptedLanguage(headers['accept-language']);
}
