import { unitsText } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';

/** A line of the rate card, with the file that it stands in. Null is any. */
export interface TariffRow {
  readonly evidence_id: number;
  readonly source: string;
  readonly line: number;
  readonly workflow: string | null;
  readonly district: string | null;
  readonly area: string | null;
  readonly merchant_location: string | null;
  readonly from_day: string | null;
  readonly to_day: string | null;
  readonly currency: string;
  readonly fee: bigint;
  readonly per_package: bigint | null;
}

/** The rate card, all imports together. */
export async function readTariff(db: LedgerReader): Promise<TariffRow[]> {
  const rows = await db
    .selectFrom('tariff_line as t')
    .innerJoin('imported as i', 'i.id', 't.evidence_id')
    .select(['t.evidence_id', 'i.source', 't.line', 't.workflow', 't.district', 't.area', 't.merchant_location'])
    .select(['t.from_day', 't.to_day', 't.currency', unitsText('t.fee').as('fee')])
    .select(unitsText('t.per_package').as('per_package'))
    .orderBy('t.evidence_id')
    .orderBy('t.line')
    .execute();
  return rows.map(({ fee, per_package, ...row }) => {
    // A cast of null is null, whatever its type says.
    const each = per_package as string | null;
    return { ...row, fee: BigInt(fee), per_package: each === null ? null : BigInt(each) };
  });
}

/** A rate of exchange, with the file that it stands in. */
export interface RateRow {
  readonly evidence_id: number;
  readonly source: string;
  readonly line: number;
  readonly date: string;
  readonly from_currency: string;
  readonly to_currency: string;
  readonly rate: string;
}

/** The rates of exchange, all imports together. */
export function readRates(db: LedgerReader): Promise<RateRow[]> {
  return db
    .selectFrom('rate_line as r')
    .innerJoin('imported as i', 'i.id', 'r.evidence_id')
    .select(['r.evidence_id', 'i.source', 'r.line', 'r.date', 'r.from_currency', 'r.to_currency', 'r.rate'])
    .orderBy('r.evidence_id')
    .orderBy('r.line')
    .execute();
}
