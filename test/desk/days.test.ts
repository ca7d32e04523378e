import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';

let desk: RunningDesk;

beforeEach(async () => {
  const books = await deskBooks('[receipts]\npayers = ["Cedar Road"]\n[approvals]\nimports = true');
  const receipts = (name: string, day: string) =>
    books.json(['import', 'receipts', books.file(name, `date,amount,currency,text\n${day},5.00,USD,Cedar Road\n`)]);
  const { id } = (await receipts('bank.csv', '2026-10-25')) as { id: number };
  await books.json(['approvals', 'approve', String(id), '--by', 'karim']);
  await receipts('more.csv', '2026-10-31');
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(() => desk.stop());

it.each([
  ['en', '25 Oct 2026', '31 Oct 2026'],
  ['ar', '25 تشرين الأول 2026', '31 تشرين الأول 2026'],
])('lists at the desk write days as people do: %s', async (language, received, waiting) => {
  const shown = async (path: string) => {
    const headers = { cookie: desk.cookie, accept: 'text/html', 'accept-language': language };
    const { text } = await desk.send(path, { headers });
    // What is technical, in a fold, keeps its instants.
    const main = text
      .slice(text.indexOf('<main'), text.indexOf('</main>'))
      .replaceAll(/<details[\s\S]*?<\/details>/g, '');
    return main.replaceAll(/<[^>]*>/g, ' ');
  };
  for (const [path, day] of [
    ['/receipts', received],
    ['/receipts/1', received],
    ['/approvals', waiting],
  ] as const) {
    const page = await shown(path);
    expect([path, page, page.match(/\b2026-\d\d-\d\d\b/g)]).toEqual([path, expect.stringContaining(day), null]);
  }
});
