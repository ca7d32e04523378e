const WORDS: Readonly<Record<string, string>> = { PAID: 'Paid', PENDING_PAYMENT: 'Waiting for payment' };

/** An invoice's status for people; one that the documentation does not name stays as the courier writes it. */
export function statusInWords(status: string): string {
  return WORDS[status] ?? status;
}
