import type { Seen } from '../app/desk/books-state.ts';
import type { Explanation } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';
import type { LanguageCode } from '../words/index.ts';
import type { DeskWord } from '../words/sentences.ts';

/** What a person may do: a reader looks, a clerk decides too. */
export type Role = 'reader' | 'clerk';

/** What a page needs besides its model: who looks at it, where, and what its forms and links send. */
export interface DeskContext extends Pick<Seen, 'couriers' | 'timeZone' | 'merchant' | 'synced'> {
  /** The person's name, under which decisions are recorded. */
  readonly user: string;
  readonly role: Role;
  /** Whether nothing can be decided here: the desk or the person may only read. Such a page shows no form. */
  readonly readOnly: boolean;
  /** The language of the page's words; `<html lang>` and `dir` follow it. */
  readonly language: LanguageCode;
  /** The path of the page, such as `/mismatches`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly now: Date;
  /** The last row of evidence that the page knows of. Forms send it as `seen`: a later decision is a conflict. */
  readonly seen: number;
  /** A new name for a form, sent as `form`: if the same form is sent twice, it gets its first answer again. */
  readonly form: () => string;
  /** This address with some of its parameters changed; null takes one away. */
  readonly link: (changes: Readonly<Record<string, string | null>>) => string;
  /** Of a page that answers a form: the page of that form, to which going back and loading again lead; else null. */
  readonly returnTo: string | null;
  /** What this person's last form did, to be said once; null if there is nothing to say. */
  readonly notice: Notice | null;
  /** Why the form that was just sent from this page was refused; null if none was. */
  readonly fault: RefusedForm | null;
}

/** What a form did, or that it waits for a second person to approve it. */
export interface Notice {
  readonly says: Sentence;
  /** A link to what the form made. */
  readonly see: { readonly address: string; readonly word: DeskWord } | null;
  /** The id of the decision, if it can be undone. */
  readonly undo: number | null;
  /** Why the books could not be checked again after it; null if they were, or need not be. */
  readonly unchecked: Explanation | null;
  readonly isWaiting: boolean;
}

/** A form that was refused: it is shown again as it was filled in. */
export interface RefusedForm {
  /** The address to which it was sent. */
  readonly path: string;
  /** The field at fault; null if none is. */
  readonly field: string | null;
  readonly explanation: Explanation;
  readonly values: URLSearchParams;
}
