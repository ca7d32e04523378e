import type { VNode } from 'preact';
import type { GridRow } from '../../../../reports/page.ts';
import { bridgeLines, shortLines } from '../../../../reports/statement/bridge.ts';
import { proofOf } from '../../../../reports/statement/proof.ts';
import { bridgeSection, outsideSection } from '../../../../reports/statement/sections/bridge.ts';
import { GridOf } from '../../../render/html/section.tsx';
import type { MonthModel } from '../../models.ts';
import { Scrolls } from '../parts/table.tsx';
import { namedCourier, usePage } from '../parts/words.ts';

/** The bridge of each courier and currency: the steps from the courier's figure to that of the books. */
export function Bridges({ model }: { readonly model: MonthModel }): VNode {
  const { word } = usePage();
  return (
    <section>
      <h2>{word('bridge')}</h2>
      {model.standing?.closed && <p class="hint">{word('closed-and-today')}</p>}
      {model.bridge.length === 0 && <p>{word('nothing')}</p>}
      <div class="bridges">
        {model.bridge.map((bridge) => (
          <OneBridge bridge={bridge} />
        ))}
      </div>
    </section>
  );
}

function OneBridge({ bridge }: { readonly bridge: MonthModel['bridge'][number] }): VNode {
  const { desk, language, word } = usePage();
  const { courier_name: courier, currency, period } = bridge;
  const proof = proofOf(bridge);
  // The desk shows today's figures, without a column for what moved since the close.
  const statement = { movedSinceClose: null };
  const name = courier === undefined ? currency : `${courier} · ${currency}`;
  // `null`: each step has a line, however many there are.
  const sections = [
    [word('bridge'), bridgeSection(statement, [currency], bridgeLines([proof], null))],
    [word('short-or-ahead'), outsideSection(statement, [currency], shortLines([proof], { isSplit: true }))],
  ] as const;
  const linkOf = ({ figure, cells }: GridRow) => {
    // Only the line of a check has a text: its code.
    const isCheck = cells.some((cell) => cell !== null && 'text' in cell);
    if (!isCheck) return null;
    const query = new URLSearchParams({ month: period, code: String(figure), currency });
    const courierInLink = namedCourier(courier, desk);
    if (courierInLink !== null) query.set('courier', courierInLink);
    return `/mismatches?${query}`;
  };
  return (
    <Scrolls label={`${word('bridge')} · ${name}`}>
      {sections.map(([title, { parts }]) =>
        parts.map(
          (part) =>
            part.kind === 'grid' && (
              // The code is the last column: a line's link has it already.
              <GridOf
                grid={{ ...part, heads: part.heads.filter(({ is }) => is !== 'code') }}
                language={language}
                class="bridge"
                caption={`${title} · ${name}`}
                linkOf={linkOf}
              />
            ),
        ),
      )}
    </Scrolls>
  );
}
