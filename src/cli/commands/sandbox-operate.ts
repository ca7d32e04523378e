import { UsageError } from '../../errors.ts';
import { issueInvoice } from '../../sandbox/operator/invoicing.ts';
import { createOperatorKey } from '../../sandbox/operator/keys.ts';
import { momentOfIssue } from '../../sandbox/operator/moment.ts';
import { moveOrder } from '../../sandbox/operator/move-order.ts';
import type { OperatorAction } from '../../sandbox/operator/moves.ts';
import { payInvoice } from '../../sandbox/operator/paying.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { timestamp } from '../../sandbox/store/timestamp.ts';
import { usingStore } from '../sandbox-store.ts';
import type { Session } from '../session.ts';

export interface SandboxOperateInput {
  readonly action: OperatorAction;
  /** The order's id for a move, the invoice's number for `pay`. */
  readonly target?: string | undefined;
  readonly data: string;
  /** For `invoice`: the merchant's name. */
  readonly merchant?: string;
  /** For `invoice`: the day of issue, `2026-10-31`; now unless given. */
  readonly date?: string;
}

/** `remit sandbox operate`: one action of the delivery company, on a stopped or a running service alike. */
export async function sandboxOperate(session: Session, input: SandboxOperateInput): Promise<number> {
  const act = actionOf(input, session.io.now());
  const { line, json } = usingStore(session, input.data, { mustExist: true }, act);
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
function actionOf(input: SandboxOperateInput, now: Date): (store: Store) => Outcome {
  const { action, target, merchant, date } = input;
  if (action === 'key') {
    return (store) => {
      const key = createOperatorKey(store, now);
      return { line: key, json: { key } };
    };
  }
  if (action === 'invoice') {
    if (!merchant) throw missing('invoice', "the merchant's name", 'invoice --merchant NAME');
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
    return (store) => {
      const paid = payInvoice(store, Number(target), timestamp(now));
      return { line: `invoice ${paid.number}  ${paid.status}  ${paid.paid_at}`, json: paid };
    };
  }
  if (!target) throw missing(action, "the order's id", `${action} ORDER_ID`);
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
