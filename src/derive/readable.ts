import { ContractError } from '../errors.ts';

export type Readable<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ContractError };

/** @throws ContractError where a document was found unreadable when it was received: it stays so, whatever is read later. */
export function refuseFaulty({ fault }: { readonly fault: string | null }): void {
  if (fault !== null) throw new ContractError(fault, 'The answer is kept; send the delivery company this message.');
}

/** What a document says, or why it cannot be read; any other failure is passed on. */
export async function ifReadable<T>(read: () => T | Promise<T>): Promise<Readable<T>> {
  try {
    return { ok: true, value: await read() };
  } catch (fault) {
    if (!(fault instanceof ContractError)) throw fault;
    return { ok: false, fault };
  }
}
