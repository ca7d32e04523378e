import { expect, it } from 'vitest';
import { startDesk } from '../../helpers/desk.ts';
import { deskBooks } from '../../helpers/desk-books.ts';
import { hasChromium, openBrowser, openWindow } from '../../helpers/desk-browser.ts';

it.skipIf(!hasChromium)('back, after what a decision would do and after it is done, sends nothing again', async () => {
  const books = await deskBooks();
  const desk = await startDesk([], { cwd: books.folder });
  const browser = await openBrowser();
  try {
    await desk.enter();
    const { page, misdeeds } = await openWindow(browser, desk);
    const sent: string[] = [];
    const form = page.locator('form[action^="/settlements"]');
    const at = () => new URL(page.url()).pathname + new URL(page.url()).search;
    const settle = async (amount: string) => {
      await form.locator('[name=amount]').fill(amount);
      await form.locator('[name=as]').selectOption('other');
      await form.locator('[name=note]').fill('fee');
      await form.getByRole('button').first().click();
    };
    await page.goto(`${desk.origin}/invoices/10001`);
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
    await settle('1.00');
    await page.getByRole('button', { name: 'Settle 1.00 USD' }).click();
    await page.getByRole('status').waitFor();
    expect(sent).toEqual(['/settlements', '/settlements']);
    // To the page of the form, as it is now, by way of what was shown before the decision.
    await page.goBack();
    expect([at(), await form.count()]).toEqual(['/invoices/10001', 1]);
    await page.goBack();
    expect([at(), await form.count()]).toEqual(['/invoices/10001', 1]);
    // A form that was refused is such an answer too, and so is what is shown before the decision when it is loaded again.
    await settle('999');
    await page.getByRole('alert').waitFor();
    await page.goto(`${desk.origin}/receipts`);
    await page.goBack();
    expect([at(), await form.count()]).toEqual(['/invoices/10001', 1]);
    await settle('2.00');
    await page.getByRole('button', { name: 'Settle 2.00 USD' }).waitFor();
    await page.reload();
    expect([at(), await form.count()]).toEqual(['/invoices/10001', 1]);
    // The browser says of the refusal that it was one.
    expect([sent.length, misdeeds.filter((one) => !one.includes('422'))]).toEqual([4, []]);
  } finally {
    await browser.close();
    await desk.stop();
  }
});
