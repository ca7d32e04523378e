import { ifReadable } from '../../derive/documents.ts';
import { readWebhook } from '../../derive/webhook.ts';
import { type Ledger, sealBody, sha256, usingTransaction } from '../../ledger/index.ts';
import { readHeldMessages } from '../../ledger/queries/webhooks.ts';
import { recordEvidence } from '../record.ts';

/** A message of a courier's whose signature is right. */
export interface SignedMessage {
  readonly body: Buffer;
  /** When it was received. */
  readonly at: Date;
  /** Where: `POST /hooks/NAME`. */
  readonly source: string;
}

/** What became of messages. */
export interface KeptMessages {
  /** How many were new. The same bytes are kept once, however often they come. */
  readonly kept: number;
  /** Why some cannot be read; they are kept all the same. */
  readonly faults: readonly string[];
}

/** Keeps messages as evidence, in one transaction: once this has returned, all of them are on disk. @param ledger of their courier */
export async function keepMessages(ledger: Ledger, messages: readonly SignedMessage[]): Promise<KeptMessages> {
  const distinct = new Map(messages.map((message) => [sha256(message.body), message]));
  const read = await Promise.all(
    [...distinct].map(async ([hash, { body, at, source }]) => {
      const message = await ifReadable(() => readWebhook(body));
      const subject = message.ok ? message.value.order_id : 'unreadable';
      const fault = message.ok ? null : message.fault.message;
      return { hash, evidence: { kind: 'webhook', subject, at, source, body: await sealBody(body), fault } };
    }),
  );
  return usingTransaction(ledger, async (trx) => {
    const held = await readHeldMessages(trx, [...distinct.keys()]);
    const fresh = read.filter(({ hash }) => !held.has(hash)).map(({ evidence }) => evidence);
    for (const evidence of fresh) await recordEvidence(trx, evidence);
    return { kept: fresh.length, faults: fresh.flatMap(({ fault }) => fault ?? []) };
  });
}
