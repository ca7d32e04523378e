import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, LedgerBusyError, LedgerError, RemitError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import type { Config, WebhookSettings } from '../../config/index.ts';
import { usingLedger } from '../../ledger/index.ts';
import { readCourierNameHistory } from '../../ledger/queries/couriers.ts';
import { webhooksError } from '../../words/errors/webhooks.ts';
import { type Books, booksOf, NO_FIGURES, usingBooks } from '../books.ts';
import { type Courier, couriersOf, ledgerOf } from '../couriers.ts';
import { fetchWaitingOf, keepMessages, type SignedMessage } from './keep.ts';

/** A courier whose webhooks are received. */
export interface Sender extends Pick<WebhookSettings, 'signature' | 'header'> {
  readonly secret: string;
  readonly courier: Courier<Config>;
}

/** What an inbox tells whoever runs it. */
interface InboxEvents {
  /** Something is wrong, and what to do. */
  readonly warn: (sentence: string) => void;
  /** Orders of a courier were fetched. */
  readonly fetched: (courier: string, orders: number, changed: number) => void;
}

interface WaitingMessage {
  readonly sender: Sender;
  readonly message: SignedMessage;
  /** Answers the sender: null once the message is kept, else why it is not. */
  readonly done: (error: unknown) => void;
}

/** A pause after a courier's orders could not be fetched, until a time in milliseconds since 1970. */
interface Pause {
  readonly until: number;
  readonly ms: number;
}

/** The most bytes of messages that wait to be written: a sender whose message is refused sends it again. */
const MOST_BYTES = 32 * 1024 * 1024;
/** The most messages that are written together. */
const MOST_AT_ONCE = 200;
/** How long a message waits for another writer's transaction. */
const WRITE_MS = 8_000;
/** How long one try waits for that transaction: a writer that waits longer keeps this whole process from answering. */
const BUSY_MS = 50;
const TRY_AGAIN_MS = 100;
/** How long a fetch waits for further messages: an order often goes through several states at once. */
const GATHER_MS = 300;
/** How often it looks for what waits in the ledger, and for couriers that were renamed. */
const LOOK_MS = 60_000;
/** The pause after orders could not be fetched; it doubles up to the longest. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 30 * 60_000;

/**
 * Keeps the webhooks of the books' couriers, and fetches the orders that they name. A message is on disk once the
 * promise of {@link keep} is fulfilled; what is to be fetched is in the ledger, so that it waits there for the next
 * start, or the next sync.
 */
export class Inbox {
  readonly #books: Books;
  readonly #events: InboxEvents;
  #senders = new Map<string, Sender>();
  readonly #queue: WaitingMessage[] = [];
  #bytes = 0;
  #writing: Promise<void> | null = null;
  #fetching: Promise<void> | null = null;
  /** Orders may wait that no fetch has looked for yet. */
  #isFetchWanted = false;
  #isClosed = false;
  /** Ends the pause after orders could not be fetched. */
  #wake = new AbortController();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly #warned = new Map<string, number>();

  constructor(books: Books, events: InboxEvents) {
    // Settings that are changed in remit.toml while this runs hold from the next start on.
    this.#books = { ...books, onRecord: true, signal: AbortSignal.any([books.signal, this.#stop.signal]) };
    this.#events = events;
  }

  /**
   * Reads who sends webhooks, and begins to fetch what waits.
   *
   * @throws ConfigError when no courier has a webhook secret, or one cannot be read; LedgerError
   */
  async open(): Promise<void> {
    // Opened for that alone: it makes a missing ledger, and puts changed settings on record.
    await usingBooks({ ...this.#books, onRecord: false }, { create: true, allCouriers: true }, async () => {});
    await this.#readSenders();
    if (this.#senders.size === 0) throw new ConfigError(webhooksError({ id: 'no-webhook-secret' }));
    this.#timer = setInterval(() => {
      // A courier that was renamed is known by its new name too.
      this.#readSenders().catch(() => {});
      this.#fetch();
    }, LOOK_MS).unref();
    this.#fetch();
  }

  /** The couriers whose webhooks are received, by name. */
  get names(): string[] {
    return [...new Set([...this.#senders.values()].map(({ courier }) => courier.name))].sort();
  }

  /** The courier that has or had that name; undefined if it has no webhook secret. */
  sender(name: string): Sender | undefined {
    return this.#senders.get(name);
  }

  /** Keeps a message whose signature is right. @throws LedgerError when it cannot be kept now */
  keep(sender: Sender, message: SignedMessage): Promise<void> {
    if (this.#isClosed || this.#bytes + message.body.length > MOST_BYTES) {
      return Promise.reject(new LedgerError(webhooksError({ id: 'inbox-full' })));
    }
    this.#bytes += message.body.length;
    return new Promise((resolve, reject) => {
      const done = (error: unknown) => {
        this.#bytes -= message.body.length;
        if (error === null) resolve();
        else reject(error);
      };
      this.#queue.push({ sender, message, done });
      this.#startWriting();
    });
  }

  #startWriting(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
      // One may have come after the last look at the queue.
      if (this.#queue.length > 0) this.#startWriting();
    });
  }

  /** Ends once what was received is answered. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#writing;
    this.#stop.abort();
    await this.#fetching;
  }

  async #readSenders(): Promise<void> {
    const senders = new Map<string, Sender>();
    await usingBooks(this.#books, { ...NO_FIGURES, readOnly: true }, async ({ db }) => {
      const couriers = (await couriersOf(db, { ...this.#books.config, courier: null })).filter(
        ({ isSet, config }) => isSet && config.kind === 'api' && config.webhook.secretSource.kind !== 'none',
      );
      const names = await readCourierNameHistory(db);
      const byKey = new Map<string, Sender>();
      for (const courier of couriers) {
        const { signature, header, secretSource } = courier.config.webhook;
        // The command that gives a secret may ask a person: it is run only once.
        const earlier = [...this.#senders.values()].find((sender) => sender.courier.key === courier.key);
        const secret = earlier?.secret ?? (await this.#books.key(secretSource));
        byKey.set(courier.key, { courier, signature, header, secret });
      }
      // A name is that of the courier that has it today, else of the last that had it, else of the one whose key it is.
      for (const { key, name } of names) if (byKey.has(key)) senders.set(name, byKey.get(key)!);
      for (const [key, sender] of byKey) if (!senders.has(key)) senders.set(key, sender);
      for (const sender of byKey.values()) senders.set(sender.courier.name, sender);
    });
    this.#senders = senders;
  }

  /** Writes all waiting messages, those of a courier in one transaction. */
  async #write(): Promise<void> {
    for (;;) {
      const batch = this.#queue.splice(0, MOST_AT_ONCE);
      if (batch.length === 0) return;
      const groups = groupBy(batch, ({ sender }) => sender.courier.key);
      for (const group of groups.values()) await this.#writeGroup(group);
    }
  }

  async #writeGroup(group: readonly WaitingMessage[]): Promise<void> {
    try {
      await this.#keepAll(group);
      for (const { done } of group) done(null);
      this.#fetch();
    } catch (error) {
      // A message that can never be kept must not keep the others out.
      if (!(error instanceof RemitError) && group.length > 1) {
        for (const one of group) await this.#writeGroup([one]);
        return;
      }
      for (const { done } of group) done(error);
      this.#warn(`webhooks of ${group[0]!.sender.courier.name} could not be kept: ${(error as Error).message}`);
    }
  }

  async #keepAll(group: readonly WaitingMessage[]): Promise<void> {
    const { courier } = group[0]!.sender;
    const messages = group.map(({ message }) => message);
    for (const until = Date.now() + WRITE_MS; ; await sleep(TRY_AGAIN_MS)) {
      try {
        const faults = await usingLedger(this.#books.config.ledger, { busyMs: BUSY_MS }, (ledger) =>
          keepMessages(ledgerOf(ledger, courier), messages),
        );
        for (const fault of faults) this.#events.warn(`a webhook of ${courier.name} cannot be read: ${fault}`);
        return;
      } catch (error) {
        const isBusy = error instanceof LedgerError && error.explanation.sentence.id === 'disks/busy';
        if (!isBusy || Date.now() > until) throw error;
      }
    }
  }

  #fetch(): void {
    this.#isFetchWanted = true;
    this.#wake.abort();
    this.#fetching ??= this.#fetchAll().finally(() => {
      this.#fetching = null;
      if (this.#isFetchWanted && !this.#isClosed) this.#fetch();
    });
  }

  /** Fetches all waiting orders. A courier's that could not be fetched are tried again after a pause of that courier. */
  async #fetchAll(): Promise<void> {
    const { signal } = this.#books;
    let pauses = new Map<string, Pause>();
    while (this.#isFetchWanted && !this.#isClosed) {
      await sleep(GATHER_MS, undefined, { signal }).catch(() => {});
      this.#isFetchWanted = false;
      const nextPauses = new Map<string, Pause>();
      for (const courier of new Set([...this.#senders.values()].map((sender) => sender.courier))) {
        const pause = await this.#fetchUnlessPaused(courier, pauses.get(courier.key));
        if (pause !== null) nextPauses.set(courier.key, pause);
      }
      pauses = nextPauses;
      if (this.#isClosed || signal.aborted) {
        this.#isFetchWanted = false;
        return;
      }
      if (this.#isFetchWanted || pauses.size === 0) continue;
      // The orders of couriers in a pause still wait: the loop goes on when the first pause ends. A new message ends
      // the sleep at once (`#wake`), for the couriers that are not in a pause.
      this.#isFetchWanted = true;
      this.#wake = new AbortController();
      const ms = Math.min(...[...pauses.values()].map(({ until }) => until)) - Date.now();
      await sleep(Math.max(0, ms), undefined, { signal: AbortSignal.any([signal, this.#wake.signal]) }).catch(() => {});
    }
  }

  /** @param earlier the pause after this courier's last failure @returns the pause that it is in now; null for none */
  async #fetchUnlessPaused(courier: Courier<Config>, earlier: Pause | undefined): Promise<Pause | null> {
    if (earlier && Date.now() < earlier.until) return earlier;
    try {
      const { orders, changed, faults } = await fetchWaitingOf(booksOf(this.#books, courier));
      for (const fault of faults) this.#events.warn(`${courier.name}: ${fault}`);
      if (orders > 0) this.#events.fetched(courier.name, orders, changed);
      return null;
    } catch (error) {
      const isBusy = error instanceof LedgerBusyError;
      const isQuiet = isBusy || this.#isClosed || this.#books.signal.aborted;
      if (!isQuiet) this.#warn(`${courier.name}: orders that webhooks named wait: ${(error as Error).message}`);
      // A sync ends soon; an API may be away for long.
      const ms = earlier === undefined || isBusy ? FIRST_PAUSE_MS : Math.min(2 * earlier.ms, LONGEST_PAUSE_MS);
      return { until: Date.now() + ms, ms };
    }
  }

  /** Warns of what fails at each try: with the same sentence at most once a minute. */
  #warn(sentence: string): void {
    const now = Date.now();
    if (now - (this.#warned.get(sentence) ?? 0) < LOOK_MS) return;
    if (this.#warned.size > 100) this.#warned.clear();
    this.#warned.set(sentence, now);
    this.#events.warn(sentence);
  }
}
