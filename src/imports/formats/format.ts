export const FORMATS = ['csv', 'xlsx', 'pdf', 'ofx', 'camt.052', 'camt.053', 'camt.054', 'mt940', 'qif'] as const;
export type Format = (typeof FORMATS)[number];
