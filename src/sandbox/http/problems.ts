import { ServiceError } from './errors.ts';

/** More faults than this are not listed: nobody mends a body by reading the fifty-first. */
const LISTED = 50;

/** The faults of one request, collected so that all are answered at once (spec, 'Errors': `<field>: <reason>`). */
export class Problems {
  readonly #found: { field: string; reason: string }[] = [];
  #onlyMissing = true;

  /** Notes a fault; the first one of a field is kept. */
  add(field: string, reason: string): void {
    this.#note(field, reason);
    this.#onlyMissing = false;
  }

  /** Notes an id that names nothing of the merchant's: alone it makes the answer a 404, with other faults a 400. */
  addMissing(field: string, what: string): void {
    this.#note(field, `${what} not found.`);
  }

  /** Whether a field itself, or the whole body, is known to be wrong. */
  has(field: string): boolean {
    return this.#found.some((p) => p.field === field || p.field === '');
  }

  /** Whether a field, or something inside it, is known to be wrong, so that rules about it have nothing to say. */
  within(field: string): boolean {
    return this.#found.some(
      (p) => p.field === field || p.field === '' || p.field.startsWith(`${field}.`) || p.field.startsWith(`${field}[`),
    );
  }

  get full(): boolean {
    return this.#found.length > LISTED;
  }

  /** @throws ServiceError with every fault that was found; returns when there is none */
  throwIfAny(): void {
    if (this.#found.length === 0) return;
    const texts = this.#found.slice(0, LISTED).map(({ field, reason }) => `${field || 'body'}: ${reason}`);
    if (this.full) texts.push('body: There are more faults.');
    throw new ServiceError(this.#onlyMissing ? 404 : 400, texts.join('; '));
  }

  #note(field: string, reason: string): void {
    if (!this.full && !this.#found.some((p) => p.field === field)) this.#found.push({ field, reason });
  }
}

/** What was sent, inside a reason: text quoted and cut, anything with parts only by its kind (it may nest without end). */
export function quote(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'A list' : 'An object';
  return `"${String(value).slice(0, 80)}"`;
}
