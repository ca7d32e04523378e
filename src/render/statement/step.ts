import type { ProofStep } from '../../../reports/statement/proof.ts';
import { ENGLISH, type Language } from '../../words/index.ts';

/** What a step of the bridge is called: `An order on two invoices`. */
export function stepInWords(code: string, { say, finds }: Language = ENGLISH): string {
  return code === 'not-compared' ? say({ id: 'statement/not-compared' }) : finds(code);
}

/** The codes of several currencies' steps in one order that each of them keeps. */
export function codesInOrder(lists: readonly (readonly ProofStep[])[]): string[] {
  const codes: string[] = [];
  for (const list of lists) {
    let at = 0;
    for (const { code } of list) {
      const known = codes.indexOf(code);
      if (known === -1) codes.splice(at, 0, code);
      at = (known === -1 ? at : known) + 1;
    }
  }
  return codes;
}
