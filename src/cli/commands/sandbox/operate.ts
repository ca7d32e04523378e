import { Argument, Command } from '@commander-js/extra-typings';
import { UsageError } from '../../../base/errors.ts';
import { moveOrder, OPERATOR_ACTIONS, type OperatorAction } from '../../../sandbox/operator/moves.ts';
import type { Store } from '../../../sandbox/store/store.ts';
import { example, printAnswer, type Start } from '../../command.ts';
import type { Session, Texts } from '../../session.ts';
import { dataOption, usingStore } from './data.ts';

export const declare = (start: Start) =>
  new Command('operate')
    .summary('do what the delivery company does: move, bill, pay')
    .description(
      'One action of the operator; the service may be running or stopped. A move takes an order one step: assign, scan, pickup, warehouse, dispatch, deliver, fail, return, handover or collect ORDER_ID. `invoice --merchant NAME` bills what is delivered, `pay INVOICE_NUMBER` pays an invoice, `key` prints a new key for the API of the operator (serve --operator-port) and revokes the last.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(OPERATOR_ACTIONS))
    .argument('[target]', 'the order, or the invoice to pay')
    .addOption(dataOption())
    .option('--merchant <name>', 'for invoice: the merchant to bill')
    .option('--date <date>', 'for invoice: the day of issue (default: now)')
    .addHelpText(
      ...example(
        'remit sandbox operate deliver 7K2MQ4XHTB --data courier.db',
        'remit sandbox operate invoice --merchant "Cedar Threads" --data courier.db',
      ),
    )
    .action((action, target, options) => start('sandbox operate', { action, target, ...options }, operate));

interface OperateInput extends Texts<'target' | 'merchant' | 'date'> {
  readonly action: OperatorAction;
  readonly data: string;
}

/** One action of the delivery company; the service may be running. */
async function operate(session: Session, input: OperateInput): Promise<number> {
  const act = await actionOf(input, session.io.now());
  const { line, json } = await usingStore(session, input.data, { mustExist: true }, act);
  return printAnswer(session, json, () => line);
}

interface Outcome {
  line: string;
  json: object;
}

/** What to do in the file. @throws UsageError before it is opened, if the action needs more or takes less */
async function actionOf(input: OperateInput, now: Date): Promise<(store: Store) => Outcome> {
  const { action, target, merchant, date } = input;
  refuseUnused(input);
  const { timestamp } = await import('../../../sandbox/calendar.ts');
  if (action === 'key') {
    const { createOperatorKey } = await import('../../../sandbox/store/merchants.ts');
    return (store) => {
      const key = createOperatorKey(store, now);
      return { line: key, json: { key } };
    };
  }
  if (action === 'invoice') {
    if (!merchant) throw missingInput('invoice', "the merchant's name", 'invoice --merchant NAME');
    const { issueInvoice, momentOfIssue } = await import('../../../sandbox/operator/invoicing.ts');
    return (store) => {
      const invoice = issueInvoice(store, merchant, momentOfIssue(store, now, date));
      const totals = invoice.totals.map((t) => `${t.net_due_to_merchant} ${t.currency} due`).join(', ');
      const what = `invoice ${invoice.number}  ${shortTime(invoice.issued_at)}  ${invoice.order_count} orders`;
      return { line: `${what}  ${totals}`, json: invoice };
    };
  }
  if (action === 'pay') {
    if (!target) throw missingInput('pay', "the invoice's number", 'pay INVOICE_NUMBER');
    if (!/^\d{1,15}$/.test(target)) {
      const remedy = 'Write it as the API lists it, such as 10001.';
      throw new UsageError(`${JSON.stringify(target)} is not an invoice number`, remedy);
    }
    const { payInvoice } = await import('../../../sandbox/operator/invoicing.ts');
    return (store) => {
      const paid = payInvoice(store, Number(target), timestamp(now));
      return { line: `invoice ${paid.number}  ${paid.status}  ${shortTime(paid.paid_at)}`, json: paid };
    };
  }
  if (!target) throw missingInput(action, "the order's id", `${action} ORDER_ID`);
  return (store) => {
    const states = moveOrder(store, target, action, timestamp(now));
    const line = `order ${target}  ${states.delivery_state}  ${states.payment_state}`;
    return { line, json: { order_id: target, ...states } };
  };
}

/** Nothing that was typed may be silently ignored. */
function refuseUnused({ action, target, merchant, date }: OperateInput): void {
  const unused =
    (action !== 'invoice' && merchant !== undefined && '--merchant') ||
    (action !== 'invoice' && date !== undefined && '--date') ||
    ((action === 'invoice' || action === 'key') && target !== undefined && target);
  if (unused) throw new UsageError(`${action} does not take ${unused}`, 'See: remit sandbox operate --help');
}

/** `2026-10-31 12:00 UTC`. */
function shortTime(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;
}

function missingInput(action: string, what: string, usage: string): UsageError {
  return new UsageError(`${action} needs ${what}`, `Write: remit sandbox operate ${usage} --data FILE`);
}
