import { query } from '../../helpers/sync.ts';

/** The id of the one mismatch of a code about an invoice. */
export function mismatchOf(file: string, invoice: number, code: string): string {
  const found = query<{ id: string }>(
    file,
    `select id from mismatch where invoice_number = ${invoice} and code = '${code}'`,
  );
  if (found.length !== 1) throw new Error(`${found.length} mismatches ${code} of ${invoice}`);
  return found[0]!.id;
}

/**
 * What people decided, without when and how often they said it: what is not resolved, how each claim stands, and what
 * the closes in force hold.
 */
export function dumpDecisions(file: string): Record<string, unknown[]> {
  const inForce = 'select id from period_close where id not in (select close_id from period_reopen)';
  const of = (table: string, columns: string) =>
    query(file, `select ${columns} from ${table} where close_id in (${inForce}) order by ${columns}`);
  return {
    mismatches: query(file, `select id, status, effect, note from mismatch where status <> 'resolved' order by id`),
    claims: query(
      file,
      `select mismatch_id, mismatch.status, claim.state, claim.answer, actor, claim.expected, claim.actual, claim.effect, note
        from claim join mismatch on mismatch.id = mismatch_id order by mismatch_id`,
    ),
    closes: query(
      file,
      `select period, actor, is_first, with_open, figures_sha256 from period_close where id in (${inForce})`,
    ),
    figures: of('period_close_figure', 'section, currency, figure, value'),
    documents: of('period_close_document', `kind, case kind when 'import' then '' else subject end, sha256, status`),
    findings: of('period_close_finding', 'mismatch_id, code, currency, effect'),
  };
}
