/** The content of a claim's letter in its reader's language. `text.ts` and `html.tsx` lay it out. */
import { type ClaimLine, claimTotals, figureTotals, isReceiptDeducted } from '../../../reports/claim/line.ts';
import {
  CLAIM_SECTIONS,
  type ClaimSection,
  claimReturns,
  type ReturnsStanding,
} from '../../../reports/claim/sentences.ts';
import { type Names, nameOf, type Party } from '../../../reports/names.ts';
import { cleanText } from '../../base/text.ts';
import type { Language } from '../../words/index.ts';

export interface LetterContents {
  readonly lines: readonly ClaimLine[];
  /** The merchant, who claims, and the courier. */
  readonly names: Names;
  readonly on: string;
  /** The months that it is about; empty if it is about chosen mismatches. */
  readonly months: readonly string[];
  /** How the courier counts RETURN orders. */
  readonly returns: ReturnsStanding;
}

export type Letter = ReturnType<typeof letterOf>;
export type LetterPart = ReturnType<typeof partOf>;
export type LetterPoint = ReturnType<typeof pointOf>;

export function letterOf({ lines, names, on, months, returns }: LetterContents, language: Language) {
  const { say } = language;
  const parts = CLAIM_SECTIONS.map((section) => partOf(section, lines, language));
  const totalFigures = claimTotals(lines);
  const returnsSentence = claimReturns(returns);
  return {
    language,
    from: headOf(names.merchant, language),
    /** The word for "to", and the receiver's name, address and mail address. */
    to: [say({ id: 'claim-to' }), ...headOf(names.courier, language)],
    on,
    heading: say({ id: 'claim-heading', months: months.map(language.month) }),
    salutation: say({ id: 'claim-salutation' }),
    opening: say({ id: 'claim-opening' }),
    /** What is owed to us, and what is owed by us; a part without points is left out. */
    owed: parts.filter(({ section, points }) => section !== 'confirm' && points.length > 0),
    /** What is owed both ways, and the net, by currency: as sentences, and as figures. */
    totalSentences: totalFigures.map(({ count: _, ...total }) => say({ id: 'claim-total', ...total })),
    totalFigures,
    confirm: parts.find(({ section, points }) => section === 'confirm' && points.length > 0) ?? null,
    /** A sentence about how the courier counts RETURN orders; null if that is unknown, or there are none. */
    returns: returnsSentence && say(returnsSentence),
    closing: say({ id: 'claim-closing' }),
  };
}

function headOf(party: Party, { say }: Language): string[] {
  const places = [party.address, party.email].filter((place) => place !== null);
  return [say(nameOf(party)), ...places.flatMap((place) => place.split('\n').map((line) => cleanText(line, 200)))];
}

function partOf(section: ClaimSection, lines: readonly ClaimLine[], { say }: Language) {
  const ofSection = lines.filter((line) => line.section === section && !isReceiptDeducted(line, lines));
  const title = say({ id: 'claim-section', section });
  return {
    section,
    title,
    /** What is asked about all points; null if the letter's opening says it. */
    about: section === 'confirm' ? say({ id: 'claim-confirm' }) : null,
    points: ofSection.map((line) => pointOf(line, say)),
    /** The part's sums by currency: as figures for each column, and as sentences. */
    sumFigures: section === 'confirm' ? [] : figureTotals(ofSection),
    sumSentences: claimTotals(ofSection).map(({ currency, owed_to_us, owed_by_us }) => {
      const amount = section === 'owed-to-us' ? owed_to_us : owed_by_us;
      return say({ id: 'claim-part-total', title, currency, amount });
    }),
  };
}

function pointOf(line: ClaimLine, say: Language['say']) {
  const { order_id: order, reference_id: reference, day } = line;
  return {
    number: line.line,
    place: say({ id: 'claim-place', invoice: line.invoice_number_text ?? line.invoice_number, order, reference, day }),
    what: say(line.what),
    figures: figuresOf(line, say),
    /** On which day it was claimed before; null if never. */
    before: line.claimed_on === null ? null : say({ id: 'claim-before', on: line.claimed_on }),
    line,
  };
}

/** A sentence with what is due, what was received and the difference; null if the point asks for no money. */
function figuresOf(line: ClaimLine, say: Language['say']): string | null {
  const { section, currency, due, received, claimed, charged, agreed } = line;
  // A point about no finding, such as a receipt that is deducted, has its amount in the sentence `what`.
  const isAboutFinding = line.id !== null;
  if (due === null || received === null || currency === null || !isAboutFinding) return null;
  if (charged !== null && agreed !== null) {
    // `0.00`: nothing came in.
    const isNothing = /^[0.]+$/.test(received);
    const cameIn = section === 'owed-to-us' && !isNothing ? received : null;
    return say({ id: 'claim-fee', currency, charged, agreed, difference: claimed, received: cameIn });
  }
  return section === 'confirm'
    ? say({ id: 'claim-open', currency, due, received })
    : say({ id: 'claim-figures', currency, due, received, difference: claimed });
}
