import { explainer, wording } from './explain.ts';

/** Mistakes in `[journal]` of remit.toml. */
export const ACCOUNTS_ERRORS = {
  'no-table': wording<{ table: string }>(({ table }, { text }) => ({
    en: [`\`${table}\` must be a table`, `Write [${table}] on a line of its own, and its settings below.`],
    ar: [`${text(table)} يجب أن يكون جدولًا`, `اكتب ${text(`[${table}]`)} على سطر وحده، وإعداداته تحته.`],
  })),
  'no-setting': wording<{ table: string; setting: string; known: readonly string[] }>(
    ({ table, setting, known }, { quoted, list, text }) => ({
      en: [`[${table}] has no setting ${quoted(setting)}`, `It has ${list(known)}.`],
      ar: [`ليس في ${text(`[${table}]`)} إعداد ${quoted(setting)}`, `فيه ${list(known)}.`],
    }),
  ),
  'no-code': wording<{ account: string; name: string }>(({ account, name }, { quoted, text }) => ({
    en: [
      `\`journal.xero.${account}\` is ${quoted(name)}, which is no account code`,
      'Xero takes a code of at most ten letters, digits, points and hyphens, such as 610.',
    ],
    ar: [
      `${text(`journal.xero.${account}`)} هو ${quoted(name)}، وليس رمز حساب`,
      'يقبل Xero رمزًا من عشرة أحرف وأرقام ونقاط وواصلات على الأكثر، مثل 610.',
    ],
  })),
  'no-account': wording<{ account: string; name: string }>(({ account, name }, { quoted, text }) => ({
    en: [
      `\`journal.${account}\` is ${quoted(name)}, which is no account`,
      'Write names with colons between them, such as "Assets:Courier receivable".',
    ],
    ar: [
      `${text(`journal.${account}`)} هو ${quoted(name)}، وليس حسابًا`,
      `اكتب أسماء بينها نقطتان، مثل ${text('"Assets:Courier receivable"')}.`,
    ],
  })),
  'not-for-beancount': wording<{ account: string; name: string; roots: readonly string[] }>(
    ({ account, name, roots }, { quoted, list, text }) => ({
      en: [
        `\`journal.${account}\` is ${quoted(name)}, which beancount cannot take`,
        `Begin it with ${list(roots)} and a colon, in [journal] or in [journal.beancount].`,
      ],
      ar: [
        `${text(`journal.${account}`)} هو ${quoted(name)}، ولا يقبله beancount`,
        `ابدأه بواحد من ${list(roots)} ونقطتين، في ${text('[journal]')} أو ${text('[journal.beancount]')}.`,
      ],
    }),
  ),
  'account-shared': wording<{ first: string; second: string; format: string; name: string }>(
    ({ first, second, format, name }, { quoted, text }) => ({
      en: [
        `[journal] gives \`${first}\` and \`${second}\` one account (${format}: ${name})`,
        `Give each a different one: in [journal.${format}] write ${quoted(second)} = "..."`,
      ],
      ar: [
        `${text('[journal]')} يعطي ${text(first)} و${text(second)} حسابًا واحدًا (${text(`${format}: ${name}`)})`,
        `أعطِ كلًّا منهما حسابًا مختلفًا: اكتب في ${text(`[journal.${format}]`)} هكذا: ${text(`${JSON.stringify(second)} = "..."`)}`,
      ],
    }),
  ),
  'no-text': wording<{ setting: string }>(({ setting }, { text }) => ({
    en: [`\`journal.${setting}\` must be a text in quotes, and not empty`, 'Correct that line.'],
    ar: [`${text(`journal.${setting}`)} يجب أن يكون نصًا بين علامتي اقتباس، غير فارغ`, 'صحّح ذلك السطر.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const accountsError = explainer('accounts', ACCOUNTS_ERRORS);
