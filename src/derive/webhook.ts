import { ContractError } from '../base/errors.ts';
import { parseInstant } from '../base/instant.ts';
import type { WebhookTable } from '../ledger/schema.ts';
import { writeWebhook } from '../ledger/write/webhooks.ts';
import type { Derive } from './derivation.ts';
import { ifReadable, isStorableId, readDocument } from './documents.ts';

/** Writes a webhook, also one that cannot be read. */
export const deriveWebhook: Derive = async ({ trx, evidence, body }) => {
  const bytes = await body();
  const read = await ifReadable(() => readWebhook(bytes));
  const { order_id, updated_at } = read.ok ? read.value : { order_id: null, updated_at: null };
  const { id: evidence_id, at: received_at } = evidence;
  await writeWebhook(trx, { evidence_id, received_at, sha256: evidence.sha256!, order_id, updated_at });
};

/**
 * Reads a message of the courier's that an order has changed. `updated_at`: its `last_updated_at`, as
 * {@link sortableInstant} writes it; null if that is absent or cannot be read.
 *
 * @throws ContractError for a message that names no order
 */
export function readWebhook(body: Buffer): Pick<WebhookTable, 'updated_at'> & { readonly order_id: string } {
  const { id, last_updated_at } = (readDocument(body) ?? {}) as { id?: unknown; last_updated_at?: unknown };
  const order_id = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : id;
  if (typeof order_id !== 'string' || order_id === '' || !isStorableId(order_id)) {
    const hint = 'The message is kept; send the delivery company this error.';
    throw new ContractError('id: it is no id of an order', hint, { path: 'id', body });
  }
  return { order_id, updated_at: typeof last_updated_at === 'string' ? sortableInstant(last_updated_at) : null };
}

/**
 * An instant in UTC with nine decimals: `2026-10-31T09:00:00.12+02:00` gives `2026-10-31T07:00:00.120000000Z`. A Date
 * has only three, so that they come from the text.
 */
function sortableInstant(text: string): string | null {
  const instant = parseInstant(text);
  if (instant === null) return null;
  const decimals = /\d\.(\d+)/.exec(text)?.[1] ?? '';
  return `${instant.toISOString().slice(0, 19)}.${decimals.slice(0, 9).padEnd(9, '0')}Z`;
}
