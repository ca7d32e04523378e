import type { VNode } from 'preact';
import { claimedEffect } from '../../app/disputes/claim-report.ts';
import { dayIn } from '../../base/day.ts';
import { isOver } from '../../base/states.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import type { Models } from '../models.ts';
import { AnswerClaim } from './parts/deciding-forms.tsx';
import { KnownRows } from './parts/fields.tsx';
import { ListTable } from './parts/report-table.tsx';
import { Shell } from './parts/shell.tsx';
import { dated, namedCourier, type PageWords, usePage } from './parts/words.ts';

export function ClaimsPage({ claims, totals, next }: Models['claims']): VNode {
  const { word } = usePage();
  // One claim may be about several mismatches.
  const evidenceIds = [...new Set(claims.map(({ claim }) => claim.evidence_id))];
  return (
    <Shell title={word('claims')}>
      {totals.length > 0 && (
        <KnownRows of={totals.map((sum) => asDemanded(sum, word, sum.state === 'taken-off'))} caption={word('total')} />
      )}
      {claims.length === 0 ? (
        <p>{word('no-claims')}</p>
      ) : (
        <>
          <p class="around">
            {evidenceIds.map((evidenceId) => (
              <a href={`/claims/${evidenceId}`}>{`${word('claim')} ${evidenceId}`}</a>
            ))}
          </p>
          <ClaimLines claims={claims} next={next} />
        </>
      )}
    </Shell>
  );
}

/** A claim: its letter, its lines with their states, and the forms that answer it or take it back. */
export function ClaimPage({ id: evidenceId, claims }: Models['claim']): VNode {
  const { desk, word } = usePage();
  const [{ claim, mismatch, courier }] = claims as [Models['claim']['claims'][number]];
  const openIds = claims.filter((line) => !isOver(line.claim.state)).map((line) => line.mismatch.id);
  return (
    <Shell title={`${word('claim')} ${evidenceId}`}>
      <p>
        <bdi>{claim.actor}</bdi> · <span class="day">{dated(claim.at, desk)}</span> ·{' '}
        {/* A letter is found by any mismatch of its claim. */}
        <a href={`/claims/${mismatch.id}/letter`}>{word('claim-letter')}</a>
      </p>
      <ClaimLines claims={claims} next={null} />
      {openIds.length > 0 && (
        <section>
          <h2>{word('claim-answer')}</h2>
          <AnswerClaim ids={openIds} courier={namedCourier(courier, desk)} />
        </section>
      )}
    </Shell>
  );
}

function ClaimLines({ claims, next }: Pick<Models['claims'], 'claims' | 'next'>): VNode {
  const { desk, language, word } = usePage();
  const records = claims.map(({ courier, claim, mismatch, now }) => ({
    ...mismatch,
    courier,
    mismatch_id: mismatch.id,
    ...asDemanded({ claimed: claimedEffect(claim), now }, word),
    state: language.say({
      id: 'claim-state',
      state: claim.state,
      answer: claim.answer,
      on: dayIn(claim.moved_at, desk.timeZone),
    }),
  }));
  // No head sorts the list: the records that are sorted hold these fields in another form.
  return <ListTable name="claims" records={records} next={next} unsorted="all" />;
}

/**
 * A claimed effect as a positive amount with who owes it: -5.00 is 5.00 that the courier owes you.
 *
 * @param isTakenOff a sum that the letters take off what you are owed: 5.00 is shown as -5.00 that is owed to you
 */
function asDemanded<Sum extends { readonly claimed: string | null; readonly now: string | null }>(
  sum: Sum,
  word: PageWords['word'],
  isTakenOff = false,
) {
  const { claimed, now } = sum;
  if (claimed === null) return sum;
  const isOwedToYou = isTakenOff || claimed.startsWith('-');
  const asPositive = (amount: string | null) =>
    amount === null || !isOwedToYou ? amount : formatUnits(-parseUnits(amount));
  const direction = word(isOwedToYou ? 'owed-to-you' : 'owed-by-you');
  return { ...sum, claimed: asPositive(claimed), now: asPositive(now), direction };
}
