import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';

/** A month in an address, such as `2026-10`. @throws UsageError for anything else */
export function requireMonth(text: string | undefined): string {
  if (text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new UsageError(because({ id: 'no-month', month: text ?? '' }));
}
