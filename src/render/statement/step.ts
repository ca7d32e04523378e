import { ENGLISH, type Language } from '../../words/index.ts';

/** What a step of the bridge is called: `An order on two invoices`. */
export function stepInWords(code: string, { say, finds }: Language = ENGLISH): string {
  return code === 'not-compared' ? say({ id: 'statement/not-compared' }) : finds(code);
}
