import { Argument, Command } from '@commander-js/extra-typings';
import { UsageError } from '../../../errors.ts';
import { OPERATOR_ACTIONS, type OperatorAction } from '../../../sandbox/operator/moves.ts';
import type { Store } from '../../../sandbox/store/store.ts';
import { example, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { dataOption, usingStore } from './data.ts';

export const declare = (start: Start) =>
  new Command('operate')
    .summary('do what the delivery company does: move, bill, pay')
    .description(
      'One action of the operator, on a stopped or a running service alike: assign, scan, pickup, warehouse, dispatch, deliver, fail, return or collect ORDER_ID; invoice --merchant NAME; pay INVOICE_NUMBER; key.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(OPERATOR_ACTIONS))
    .argument('[target]', 'the order, or the invoice to pay')
    .addOption(dataOption())
    .option('--merchant <name>', 'whom to bill, for: invoice')
    .option('--date <date>', 'the day of issue, for: invoice')
    .addHelpText(
      'after',
      example(
        'remit sandbox operate deliver 7K2MQ4XHTB --data courier.db',
        'remit sandbox operate invoice --merchant "Zahra Store" --data courier.db',
      ),
    )
    .action((action, target, options) => start('sandbox operate', { action, target, ...options }, operate));

interface OperateInput {
  readonly action: OperatorAction;
  /** The order's id for a move, the invoice's number for `pay`. */
  readonly target?: string | undefined;
  readonly data: string;
  /** For `invoice`: the merchant's name. */
  readonly merchant?: string | undefined;
  /** For `invoice`: the day of issue, `2026-10-31`; now unless given. */
  readonly date?: string | undefined;
}

/** One action of the delivery company, on a stopped or a running service alike. */
async function operate(session: Session, input: OperateInput): Promise<number> {
  const act = await actionOf(input, session.io.now());
  const { line, json } = await usingStore(session, input.data, { mustExist: true }, act);
  if (session.json) session.resultJson(json);
  else session.result(line);
  return 0;
}

/** What to print: for people, and for machines. */
interface Outcome {
  line: string;
  json: object;
}

/** Understands the whole line before the file is opened. */
async function actionOf(input: OperateInput, now: Date): Promise<(store: Store) => Outcome> {
  const { action, target, merchant, date } = input;
  const { timestamp } = await import('../../../sandbox/store/timestamp.ts');
  if (action === 'key') {
    const { createOperatorKey } = await import('../../../sandbox/operator/keys.ts');
    return (store) => {
      const key = createOperatorKey(store, now);
      return { line: key, json: { key } };
    };
  }
  if (action === 'invoice') {
    if (!merchant) throw missing('invoice', "the merchant's name", 'invoice --merchant NAME');
    const { issueInvoice } = await import('../../../sandbox/operator/invoicing.ts');
    const { momentOfIssue } = await import('../../../sandbox/operator/moment.ts');
    return (store) => {
      const invoice = issueInvoice(store, merchant, momentOfIssue(store, now, date));
      const totals = invoice.totals.map((t) => `${t.net_due_to_merchant} ${t.currency} due`).join(', ');
      return {
        line: `invoice ${invoice.number}  ${invoice.issued_at}  ${invoice.order_count} orders  ${totals}`,
        json: invoice,
      };
    };
  }
  if (action === 'pay') {
    if (!target || !/^\d{1,15}$/.test(target)) throw missing('pay', "the invoice's number", 'pay INVOICE_NUMBER');
    const { payInvoice } = await import('../../../sandbox/operator/paying.ts');
    return (store) => {
      const paid = payInvoice(store, Number(target), timestamp(now));
      return { line: `invoice ${paid.number}  ${paid.status}  ${paid.paid_at}`, json: paid };
    };
  }
  if (!target) throw missing(action, "the order's id", `${action} ORDER_ID`);
  const { moveOrder } = await import('../../../sandbox/operator/move-order.ts');
  return (store) => {
    const states = moveOrder(store, target, action, timestamp(now));
    return {
      line: `order ${target}  ${states.delivery_state}  ${states.payment_state}`,
      json: { order_id: target, ...states },
    };
  };
}

function missing(action: string, what: string, usage: string): UsageError {
  return new UsageError(`${action} needs ${what}`, `Write: remit sandbox operate ${usage} --data FILE`);
}
