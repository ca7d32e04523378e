import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Edit, editSettings } from '../../src/config/edit.ts';

async function edited(before: string, edits: readonly Edit[] | null, whole: Parameters<typeof editSettings>[2] = null) {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'edit-')), 'remit.toml');
  await writeFile(file, before);
  const isDone = await editSettings(file, edits, whole);
  const after = await readFile(file, 'utf8');
  if (!isDone) expect(after).toBe(before);
  return isDone ? after : null;
}

const COD: Edit = { path: ['maps', 'cedar', 'columns', 'cod'], value: ['COD', 'قيمة "التحصيل"'] };
const WRITTEN = '["COD", "قيمة \\"التحصيل\\""]';

it('a setting is set in the table that it is of, and every other letter of the file stays', async () => {
  const before = [
    '# ours',
    'api_url = "https://api.example.com/"',
    '[maps.other]',
    'columns = { cod = "COD", net = "Net" } # not this one',
    '[maps.cedar] # theirs',
    `columns = { "cod" = 'COD', net = "Net" }`,
    '',
  ].join('\r\n');
  expect(await edited(before, [COD])).toBe(before.replace("'COD'", WRITTEN));
});

it('tables of every form are known, and lists over several lines', async () => {
  const forms = [
    '[maps.cedar.columns]\n# the cash\ncod = [\n  "COD", # of old\n]\nnet = "Net"\n',
    '[maps]\ncedar = { columns = { cod = "COD" } }\n',
    'maps.cedar.columns.cod = "COD"\n',
    '[maps.cedar]\ncolumns = { net = "Net" }\n',
    '[maps.cedar]\ncolumns = {}\n',
    '[ maps . cedar ]\nkind = "settlement"\n[receipts]\n',
  ];
  for (const form of forms) expect(await edited(form, [COD]), form).toContain(WRITTEN);
  const payers: Edit = { path: ['receipts', 'payers'], value: ['CEDAR'] };
  expect(await edited('[receipts]\naccounts = ["a"]', [payers])).toBe(
    '[receipts]\npayers = ["CEDAR"]\naccounts = ["a"]',
  );
});

it('a whole table takes the place of one and of those in it, and of no other', async () => {
  const before = '# a\n[maps.cedar]\nkind = "x"\n[maps.cedar.columns]\ncod = "COD"\n\n[maps.cedars]\nkind = "y"\n';
  const whole = { path: ['maps', 'cedar'], text: '[maps.cedar]\nkind = "z"' };
  expect(await edited(before, null, whole)).toBe('# a\n[maps.cedar]\nkind = "z"\n\n[maps.cedars]\nkind = "y"\n');
});

it('a file that cannot be changed for certain is left as it is', async () => {
  expect(await edited('maps = [[[', [COD])).toBe(null);
  expect(await edited('maps = "none"\n', [COD])).toBe(null);
});
