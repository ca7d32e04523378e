import type { FastifyRequest } from 'fastify';
import { listChecks } from '../app/check.ts';
import { SETTINGS_FILE } from '../config/index.ts';
import { ENGLISH, isLanguageCode, type Language, type LanguageCode } from '../words/index.ts';
import { ARABIC } from '../words/sentences.ar.ts';
import type { DeskWord } from '../words/sentences.ts';

/** A command in a sentence, between backticks. The desk names the button that does it instead, or its page. */
const COMMAND = /`remit ([a-z-]+)(?: ([a-z-]+))?[^`]*`/g;

/** The button or page in place of a command, by the command or its first word. */
const BUTTONS: Readonly<Record<string, DeskWord>> = {
  sync: 'sync-now',
  check: 'check-again',
  close: 'close-month',
  reopen: 'reopen-month',
  match: 'match-by-hand',
  'match remove': 'unmatch',
  'match list': 'receipts',
  settle: 'settle',
  'settle list': 'settlements',
  'settle undo': 'undo',
  import: 'imports',
  'import undo': 'undo',
  dispute: 'claims',
  mismatch: 'mismatches',
  approvals: 'approvals',
  report: 'reports',
};

const LANGUAGES: Readonly<Record<LanguageCode, Language>> = { en: atDesk(ENGLISH), ar: atDesk(ARABIC) };

/** A language for the desk: its sentences name buttons and pages in place of commands, and checks by what they find. */
export function deskLanguage(code: LanguageCode): Language {
  return LANGUAGES[code];
}

const CODES = listChecks().map(({ code }) => code);
/** A check's code, such as `invoice-net`, unless it is part of a path or a file's name: `invoice-net.md`. */
const CODE = new RegExp(`(?<![\\w./-])(?:${CODES.join('|')})(?![\\w/-]|\\.\\w)`, 'g');

function atDesk(language: Language): Language {
  /** The button or page in place of a command; of `remit close 2026-10` the button that names the month. */
  const buttonOf = (command: string, first: string, second?: string) => {
    const month = first === 'close' ? /\d{4}-\d{2}/.exec(command)?.[0] : undefined;
    if (month !== undefined) {
      const close = language.say({ id: 'decide', decision: 'closeMonth', of: language.month(month) });
      return quoted(close, language);
    }
    const word = BUTTONS[`${first} ${second}`] ?? BUTTONS[first];
    return word === undefined ? command : quoted(language.say({ id: 'desk', word }), language);
  };
  const forDesk = (text: string) =>
    text
      .replace(COMMAND, buttonOf)
      .replace(CODE, (code) => quoted(language.finds(code), language))
      .replaceAll(SETTINGS_FILE, language.say({ id: 'desk', word: 'the-settings' }));
  return {
    ...language,
    say: (sentence) => forDesk(language.say(sentence)),
    label: (label) => forDesk(language.label(label)),
    explain: (explanation) => {
      const { message, hint } = language.explain(explanation);
      return { message: forDesk(message), hint: forDesk(hint) };
    },
  };
}

function quoted(text: string, { isRightToLeft }: Language): string {
  return isRightToLeft ? `«${text}»` : `“${text}”`;
}

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
