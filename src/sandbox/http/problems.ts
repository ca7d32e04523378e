import { ServiceError } from './errors.ts';

/** The most faults that an answer lists. */
const MOST_LISTED = 50;

/** The faults of one request, collected so that one answer lists them all (spec, 'Errors': `<field>: <reason>`). */
export class Problems {
  readonly #faults: { field: string; reason: string }[] = [];
  #onlyMissing = true;

  /** Notes a fault; only a field's first is kept. */
  add(field: string, reason: string): void {
    this.#note(field, reason);
    this.#onlyMissing = false;
  }

  /** Notes an id that the merchant does not have. If all faults are such, the answer is 404, otherwise 400. */
  addMissing(field: string, what: string): void {
    this.#note(field, `${what} not found.`);
  }

  /** A field itself, or the whole body, is faulty. */
  has(field: string): boolean {
    return this.#faults.some((fault) => fault.field === field || fault.field === '');
  }

  /** A field, or something inside it, is faulty, so that further rules do not apply. */
  within(field: string): boolean {
    if (this.has(field)) return true;
    return this.#faults.some((fault) => fault.field.startsWith(`${field}.`) || fault.field.startsWith(`${field}[`));
  }

  /** One more is kept than is listed, to know that there are more. */
  get isFull(): boolean {
    return this.#faults.length > MOST_LISTED;
  }

  /** @throws ServiceError with every fault; returns if there is none */
  throwIfAny(): void {
    if (this.#faults.length === 0) return;
    const texts = this.#faults.slice(0, MOST_LISTED).map(({ field, reason }) => `${field || 'body'}: ${reason}`);
    if (this.isFull) texts.push('body: There are more faults.');
    throw new ServiceError(this.#onlyMissing ? 404 : 400, texts.join('; '));
  }

  #note(field: string, reason: string): void {
    if (!this.isFull && !this.#faults.some((fault) => fault.field === field)) this.#faults.push({ field, reason });
  }
}

/** A value for the text of a fault: quoted and cut; of a list or object, which may be large, only the kind. */
export function quote(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'A list' : 'An object';
  return `"${String(value).slice(0, 80)}"`;
}
