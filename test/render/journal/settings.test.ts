import { describe, expect, it } from 'vitest';
import { journalOf } from '../../../reports/journal/journal.ts';
import type { JournalLine, JournalTransaction } from '../../../reports/journal/model.ts';
import { parseUnits } from '../../../src/money/units.ts';
import { JOURNAL_FORMATS } from '../../../src/render/formats.ts';
import { journalFiles } from '../../../src/render/journal/index.ts';
import { journalSettings } from '../../../src/render/journal/settings.ts';

describe('[journal]', () => {
  it('names every account, for every format, where nothing is set', () => {
    for (const format of JOURNAL_FORMATS) {
      const names = Object.values(journalSettings(undefined, format).accounts);
      expect(new Set(names).size).toBe(18);
      if (format === 'xero') for (const name of names) expect(name.length).toBeLessThanOrEqual(10);
      if (format === 'beancount')
        for (const name of names) expect(name).toMatch(/^(Assets|Liabilities|Equity|Expenses):[A-Z]\w+$/);
    }
  });

  it('takes a format’s own names before the common ones', () => {
    const table = { bank: 'assets:bank:audi', beancount: { bank: 'Assets:Audi' }, xero: { bank: '090' } };
    expect(journalSettings(table, 'hledger').accounts.bank).toBe('assets:bank:audi');
    expect(journalSettings(table, 'beancount').accounts.bank).toBe('Assets:Audi');
    expect(journalSettings(table, 'xero').accounts.bank).toBe('090');
  });

  it('gives a kind of charge the account that is named, and refuses two kinds that would share one', () => {
    const kinds = ['charge:packaging_box', 'charge:packaging_bag'] as const;
    const line = (account: JournalLine['account'], amount: string) => ({ account, amount: parseUnits(amount) });
    const charged: JournalTransaction = {
      ...{ id: 'INV-118-1-USD', date: '2026-10-28', currency: 'USD', references: { invoice: 118 } },
      narration: { id: 'booked-invoice', number: 118, isRestated: false },
      lines: [line(kinds[0], '1.50'), line(kinds[1], '2.00'), line('courier_receivable', '-3.50')],
    };
    const journal = journalOf({ period: '2026-10', from: '2026-10-01', to: '2026-10-31' }, [charged], null);
    const text = (xero: Record<string, string>) =>
      [...journalFiles(journal, 'xero', journalSettings({ xero }, 'xero'))[0]!.pieces].join('');
    expect(() => text({})).toThrow('`charge:packaging_bag` and `charge:packaging_box` one account (xero: PACKAGINGB)');
    const codes = text({ 'charge:packaging_bag': '620' })
      .split('\r\n')
      .map((row) => row.split(',')[3]);
    expect(codes.slice(1, 4)).toEqual(['PACKAGINGB', '620', 'COURIER']);
  });

  it('makes beancount’s form of a name', () => {
    const bank = (name: string) => journalSettings({ bank: name }, 'beancount').accounts.bank;
    expect(bank('asset:cash in hand:2026')).toBe('Assets:CashInHand:2026');
    expect(bank('Assets:صندوق')).toBe('Assets:Xصندوق');
  });

  it.each([
    [{ bnak: 'x' }, 'hledger', '[journal] has no setting "bnak"'],
    [{ xero: { bnak: 'x' } }, 'xero', '[journal.xero] has no setting "bnak"'],
    [{ bank: '' }, 'hledger', '`journal.bank` must be a text'],
    [{ bank: 5 }, 'hledger', '`journal.bank` must be a text'],
    [{ bank: 'a  b' }, 'hledger', 'no account'],
    [{ bank: 'a;b' }, 'hledger', 'no account'],
    [{ bank: '(a)' }, 'hledger', 'no account'],
    [{ bank: 'a::b' }, 'hledger', 'no account'],
    [{ bank: 'a\nb' }, 'csv', 'no account'],
    [{ bank: 'Money:Bank' }, 'beancount', 'which beancount cannot take'],
    [{ bank: 'Assets' }, 'beancount', 'which beancount cannot take'],
    [{ xero: { bank: 'Assets:Bank' } }, 'xero', 'no account code'],
    [{ bank: 'Assets:Receivables' }, 'hledger', 'one account'],
    [{ 'charge:handling': 'Assets:Bank' }, 'hledger', '`bank` and `charge:handling` one account'],
    [{ xero: { 'charge:handling': 'A long code' } }, 'xero', 'no account code'],
    ['x', 'hledger', '`journal` must be a table'],
    [{ xero: [] }, 'xero', '`journal.xero` must be a table'],
  ] as const)('refuses %j for %s', (table, format, message) => {
    expect(() => journalSettings(table, format)).toThrow(message);
  });
});
