/**
 * The desk's one script in the browser. Every page works without it: it adds keys, ticking a range with shift, and the
 * running sums of what is ticked. It writes text alone, never markup.
 */
export const SCRIPT = `'use strict';
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);

  // Amounts are whole numbers of 1/10,000: exact, whatever their size.
  const unitsOf = (text) => {
    const [, sign, whole, part = ''] = /^(-?)(\\d+)(?:\\.(\\d{1,4}))?$/.exec(text) ?? [];
    if (whole === undefined) return 0n;
    const units = BigInt(whole) * 10000n + BigInt(part.padEnd(4, '0'));
    return sign === '-' ? -units : units;
  };
  const textOf = (units) => {
    const size = units < 0n ? -units : units;
    const whole = String(size / 10000n).replace(/\\B(?=(\\d{3})+$)/g, ',');
    const part = String(size % 10000n).padStart(4, '0').replace(/0{1,2}$/, '');
    return (units < 0n ? '-' : '') + whole + '.' + part;
  };

  const sumsOf = (boxes, sign) => {
    const sums = new Map();
    for (const { dataset: { amount, currency } } of boxes) {
      if (amount === undefined || currency === undefined) continue;
      sums.set(currency, (sums.get(currency) ?? 0n) + sign * unitsOf(amount));
    }
    return sums;
  };
  const sumsText = (sums) => [...sums].sort().map(([currency, units]) => textOf(units) + ' ' + currency).join(' · ');

  const boxes = () => all('.choose input[type=checkbox][name=ids]');
  // The mismatches that are ticked, and their sums.
  const showChosen = () => {
    const chosen = one('#chosen');
    if (!chosen) return;
    const ticked = boxes().filter((box) => box.checked);
    chosen.hidden = ticked.length === 0;
    for (const button of all('form#decide button:not([hidden])')) button.disabled = ticked.length === 0;
    const hint = one('#choose-first');
    if (hint) hint.hidden = false;
    hint?.classList.toggle('gone', ticked.length > 0);
    chosen.textContent = ' · ' + chosen.dataset.label + ': ' + ticked.length + ' · ' + sumsText(sumsOf(ticked, 1n));
  };
  // What the chosen receipt has more than the chosen invoices, by currency.
  const showTally = () => {
    const tally = one('#tally');
    if (!tally) return;
    const receipts = all('.choose input[name=receipt]:checked');
    const invoices = all('.choose input[name=invoices]:checked');
    const left = sumsOf(receipts, 1n);
    for (const [currency, units] of sumsOf(invoices, -1n)) left.set(currency, (left.get(currency) ?? 0n) + units);
    const isChosen = receipts.length > 0 && invoices.length > 0;
    const match = one('form#match button.first');
    if (match) match.disabled = !isChosen;
    const choose = one('#choose-match');
    if (choose) choose.hidden = isChosen;
    tally.hidden = receipts.length + invoices.length === 0;
    tally.classList.toggle('good', [...left.values()].every((units) => units === 0n));
    tally.textContent = tally.dataset.label + ': ' + sumsText(left);
  };

  const showSums = () => {
    showChosen();
    showTally();
  };

  // The box that was clicked before: a click with shift ticks all boxes between the two alike.
  let last = null;
  document.addEventListener('click', (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || box.type !== 'checkbox' || !box.closest('.choose')) return;
    const group = all('.choose input[type=checkbox]').filter(({ name }) => name === box.name);
    if (event.shiftKey && last && group.includes(last)) {
      const [from, to] = [group.indexOf(last), group.indexOf(box)].sort((a, b) => a - b);
      for (const between of group.slice(from, to + 1)) between.checked = box.checked;
    }
    last = box;
  });
  // Another choice needs another preview.
  document.addEventListener('change', ({ target }) => {
    const decide = one('#deciding button.first');
    if (decide && target.form?.id === 'deciding') decide.disabled = true;
  });
  document.addEventListener('change', showSums);
  document.addEventListener('click', showSums);

  // The rows through which j and k go: those with a box, else those with a link or button.
  const rows = () => {
    const chosen = all('main tbody tr').filter((row) => row.querySelector('.choose input:not(:disabled)'));
    return chosen.length > 0 ? chosen : all('main tbody tr').filter((row) => row.querySelector('a, button'));
  };
  const current = () => one('tr.current');
  const go = (step) => {
    const visible = rows();
    if (visible.length === 0) return;
    const at = visible.indexOf(current());
    const next = visible[Math.min(visible.length - 1, Math.max(0, at + step))];
    current()?.classList.remove('current');
    next.classList.add('current');
    next.querySelector('input:not([type=hidden]), a, button').focus();
  };
  const send = (action) => {
    const form = one('form#decide');
    const isAny = form && (form.querySelector('input[name=ids]') || boxes().some((box) => box.checked));
    if (!isAny) return;
    const button = [...form.querySelectorAll('button')].find(({ formAction }) => new URL(formAction).pathname === action);
    button?.click();
  };
  const KEYS = {
    j: () => go(1),
    k: () => go(-1),
    o: () => current()?.querySelector('a')?.click(),
    x: () => current()?.querySelector('.choose input')?.click(),
    a: () => send('/mismatches/ack'),
    r: () => send('/mismatches/resolve'),
    '/': () => one('#q')?.focus(),
    '?': () => one('.keys').classList.toggle('unseen'),
  };
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      one('#q')?.select();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target.closest('select, textarea, input:not([type=checkbox]):not([type=radio])')) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  showSums();
  // A browser that comes back to what answered a form would send the form again, or show nothing.
  const { returnTo } = document.body.dataset;
  if (returnTo !== undefined) history.replaceState(null, '', returnTo);
})();
`;
