import type { VNode } from 'preact';
import type { Grid, Section } from '../../../../reports/page.ts';
import type { Statement } from '../../../../reports/statement/model.ts';
import { balanceSection } from '../../../../reports/statement/sections/balance.ts';
import { bridgeSection, outsideSection } from '../../../../reports/statement/sections/bridge.ts';
import { monthFacts } from '../../../../reports/statement/sections/facts.ts';
import { causesSection } from '../../../../reports/statement/sections/mismatches.ts';
import { type SigningPage, signingPage } from '../../../../reports/statement/signing-page.ts';
import { formatGrouped } from '../../../money/decimal.ts';
import type { Language } from '../../../words/index.ts';
import { GridOf, PartOf, shortened } from '../../html/section.tsx';
import { gridCellText } from '../../in-words.ts';
import { notProven, sideOf } from '../result.ts';

const RESULT = { id: 'statement/result-of-month' };
/** The most characters of a cause, and of a fact such as a warning. */
const LONGEST_CAUSE = 160;
/** With this many currencies or more, the page has narrower columns, and no codes. */
const MANY_CURRENCIES = 3;
const LEAST_AMOUNT_MM = 24;
const PADDING_MM = 3;
const MM_A_DIGIT = 1.72;

interface PartProps {
  readonly statement: Statement;
  readonly page: SigningPage;
  readonly language: Language;
}

/** The page that people sign: merchant, courier and month, balance, what is short, bridge, causes and signatures. */
export function FirstPage({ statement, language }: Omit<PartProps, 'page'>): VNode {
  const page = signingPage(statement);
  const { currencies, blocks, bridge, short } = page;
  const parts = { statement, page, language };
  const denseLook = currencies.length >= MANY_CURRENCIES ? 'first dense' : 'first';
  return (
    <section
      class={blocks.length > 1 ? 'first blocks' : denseLook}
      style={`--amount: ${amountWidth(page).toFixed(1)}mm`}
    >
      <Header {...parts} />
      <Brief section={balanceSection(statement.month, page)} withoutHints {...parts} />
      <Results {...parts} />
      {bridge.length > 0 && (
        <>
          <Brief section={bridgeSection(statement, currencies, bridge)} {...parts} />
          <Brief section={{ ...outsideSection(statement, currencies, short), title: RESULT }} withoutHints {...parts} />
        </>
      )}
      <Brief section={causesSection(page)} {...parts} />
      <Signatures {...parts} />
    </section>
  );
}

/** The width of the columns of amounts, in millimetres: as wide as the longest amount needs. */
function amountWidth({ balance, later, bridge, short }: SigningPage): number {
  const texts = [...balance, ...later, ...bridge, ...short].flatMap(({ amounts }) =>
    [...amounts.values()].map((amount) => (amount === null ? 0 : formatGrouped(amount).length)),
  );
  return Math.max(LEAST_AMOUNT_MM, PADDING_MM + MM_A_DIGIT * Math.max(...texts, 0));
}

/**
 * A section of the page to sign: its title, a table for each block of currencies that fit side by side, its notes. The
 * title is in the table's head, or a heading if the section begins with a note.
 */
function Brief({ section, page, withoutHints, language }: BriefProps): VNode {
  const { title, parts } = section;
  const [first] = parts;
  const notes = parts.filter((part) => part.kind === 'note' && !(withoutHints && part.isHint));
  const grid = first?.kind === 'grid' ? titled(first, title) : null;
  // The table of causes has one column of amounts for all currencies, and is never divided.
  const isCauses = grid?.heads.some(({ is }) => is === 'text') ?? false;
  const tables = grid && (isCauses ? [grid] : page.blocks.map((block) => narrowed(grid, block, page)));
  const hasHeading = first?.kind === 'note';
  return (
    <>
      {hasHeading && <h2>{language.label(title)}</h2>}
      {tables?.map((table) => (
        <GridOf grid={table} language={language} longest={LONGEST_CAUSE} class={isCauses ? 'causes' : ''} />
      ))}
      {notes.map((part) => (
        <PartOf part={part} language={language} />
      ))}
    </>
  );
}

interface BriefProps extends PartProps {
  readonly section: Section;
  readonly withoutHints?: boolean;
}

/** The grid with the section's title over its first column, because there is no room for a heading above the table. */
function titled(grid: Grid, title: Section['title']): Grid {
  const heads = grid.heads.map((head) => {
    if (head.is === 'label') return { ...head, title };
    return head.is === 'text' ? { ...head, title: '' } : head;
  });
  return { ...grid, heads };
}

/**
 * The grid for a block of currencies: labels and amounts, without rows of a label alone, and with codes if there is room.
 */
function narrowed({ heads, rows, ...grid }: Grid, block: readonly string[], { currencies }: SigningPage): Grid {
  const columns = [...heads.keys()].filter((column) => {
    const { is, title } = heads[column]!;
    if (is === 'amount') return block.includes(String(title));
    return is === 'label' || (is === 'code' && currencies.length < MANY_CURRENCIES);
  });
  return {
    ...grid,
    heads: columns.map((column) => (heads[column]!.is === 'code' ? { ...heads[column]!, title: '' } : heads[column]!)),
    rows: rows
      .filter(({ cells }) => cells.length > 1)
      .map((row) => ({ ...row, cells: columns.map((column) => row.cells[column] ?? null) })),
  };
}

const MOST_WARNINGS = 3;

function Header({ statement, page: { blocks }, language }: PartProps): VNode {
  const { say, month: inWords } = language;
  const { organisation, month } = statement;
  const image = organisation.logo && readImage(organisation.logo);
  const data = image && Buffer.from(image.bytes).toString('base64');
  const facts = monthFacts(statement);
  const identity = facts.filter(({ name }) => ['merchant', 'courier', 'status'].includes(name));
  const warnings = facts.filter(({ name }) => name === 'warning');
  return (
    <header>
      {image && <img alt="" src={`data:image/${image.kind};base64,${data}`} />}
      <h1>{say({ id: 'statement/heading', monthInWords: inWords(month) })}</h1>
      <dl>
        {[...identity, ...warnings.slice(0, blocks.length > 1 ? 1 : MOST_WARNINGS)].map(({ name, label, value }) => {
          const text = shortened(gridCellText(value, language), LONGEST_CAUSE);
          return (
            <div>
              <dt>{label && language.label(label)}</dt>
              <dd>{name === 'status' ? <strong>{text}</strong> : <bdi>{text}</bdi>}</dd>
            </div>
          );
        })}
      </dl>
    </header>
  );
}

function Results({ statement, language: { say } }: PartProps): VNode {
  return (
    <div class="results">
      {statement.proof.map((proof) => {
        const { currency, short } = proof;
        const side = sideOf(short);
        return (
          <p class={`result ${side}`}>
            {say({ id: 'statement/side', currency, side })}
            {!short.isZero() && (
              <>
                {' '}
                <bdi>{formatGrouped(short.abs())}</bdi>
              </>
            )}
            {notProven(proof, say)}
          </p>
        );
      })}
    </div>
  );
}

function Signatures({ language: { say } }: PartProps): VNode {
  return (
    <>
      <div class="signatures">
        {(['statement/prepared-by', 'statement/reviewed-by'] as const).map((id) => (
          <div>
            <span>{say({ id })}</span>
            <i />
            <span>{say({ id: 'statement/date' })}</span>
            <i class="date" />
          </div>
        ))}
      </div>
      <p class="hint">{say({ id: 'statement/sign-after' })}</p>
    </>
  );
}

interface Image {
  readonly kind: 'png' | 'jpeg';
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The first bytes of every PNG. */
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_BYTES = 2_000_000;

/** Reads a PNG's or JPEG's kind and size; null for any other file, which never gets onto a page. */
export function readImage(bytes: Uint8Array): Image | null {
  if (bytes.length > MOST_BYTES) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = pngSize(buffer) ?? jpegSize(buffer);
  return size && size.width > 0 && size.height > 0 ? { ...size, bytes } : null;
}

type Size = Pick<Image, 'kind' | 'width' | 'height'>;

function pngSize(buffer: Buffer): Size | null {
  if (
    buffer.length < 24 ||
    !buffer.subarray(0, 8).equals(PNG_SIGNATURE) ||
    buffer.toString('latin1', 12, 16) !== 'IHDR'
  )
    return null;
  return { kind: 'png', width: buffer.readUInt32BE(16), height: buffer.readUInt32BE(20) };
}

function jpegSize(buffer: Buffer): Size | null {
  if (buffer.length < 4 || buffer.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < buffer.length; ) {
    const marker = buffer.readUInt16BE(at);
    // Frame headers. The three markers left out lie in the same range and are tables.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      return { kind: 'jpeg', height: buffer.readUInt16BE(at + 5), width: buffer.readUInt16BE(at + 7) };
    }
    if (marker < 0xff01) return null;
    // Goes on to the next marker: after this one comes a length, which counts its two bytes too.
    at += 2 + buffer.readUInt16BE(at + 2);
  }
  return null;
}
