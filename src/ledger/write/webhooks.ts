import { chunks } from '../chunks.ts';
import type { WebhookTable } from '../schema.ts';
import type { Trx } from './insert.ts';

/** Writes a message. It waits for its order to be fetched, unless an earlier message is as new, or it names none. */
export async function writeWebhook(
  trx: Trx,
  message: Omit<WebhookTable, 'is_old' | 'answered_evidence_id'>,
): Promise<void> {
  // One that does not wait is noted as answered, by its own evidence.
  const isOld = await hasAsNew(trx, message);
  const waits = message.order_id !== null && !isOld;
  await trx
    .insertInto('webhook')
    .values({ ...message, is_old: isOld ? 1 : 0, answered_evidence_id: waits ? null : message.evidence_id })
    .execute();
}

/** Whether an earlier message about the order is as new or newer; false for one whose time cannot be read. */
async function hasAsNew(
  trx: Trx,
  { order_id, updated_at }: Pick<WebhookTable, 'order_id' | 'updated_at'>,
): Promise<boolean> {
  if (order_id === null || updated_at === null) return false;
  const ofOrder = trx.selectFrom('webhook').select('evidence_id').where('order_id', '=', order_id);
  return (await ofOrder.where('updated_at', '>=', updated_at).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Notes that the orders of messages were fetched.
 *
 * @param until the last evidence before the fetch began: it does not answer later messages
 * @param ids null for all orders
 */
export async function answerWebhooks(
  trx: Trx,
  { ids, until, evidenceId }: { ids: readonly string[] | null; until: number; evidenceId: number },
): Promise<void> {
  const unanswered = trx.updateTable('webhook').set({ answered_evidence_id: evidenceId });
  const waiting = unanswered.where('answered_evidence_id', 'is', null).where('evidence_id', '<=', until);
  if (ids === null) await waiting.execute();
  else for (const page of chunks(ids)) await waiting.where('order_id', 'in', page).execute();
}
