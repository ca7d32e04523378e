import { describe, expect, it } from 'vitest';
import { JOURNAL_FORMATS } from '../../../src/render/formats.ts';
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
    ['x', 'hledger', '`journal` must be a table'],
    [{ xero: [] }, 'xero', '`journal.xero` must be a table'],
  ] as const)('refuses %j for %s', (table, format, message) => {
    expect(() => journalSettings(table, format)).toThrow(message);
  });
});
