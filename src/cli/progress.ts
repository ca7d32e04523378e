import { type Progress, silent } from '../app/sync.ts';
import { cleanText } from '../base/text.ts';
import { isDumb, type Session } from './session.ts';

/** How often a log gets a line about a long stretch of work. */
const LOG_EVERY_MS = 10_000;
/** How often a bar is drawn: nobody would see more. */
const DRAW_EVERY_MS = 100;
const LONGEST_WARNING = 2_000;

/** A bar, or lines in a log. */
interface Display {
  readonly everyMs: number;
  show(stretch: Stretch): void;
  /** Makes room for another line. */
  clear(): void;
}

/** A stretch of work, such as the invoices of a month. `total` is null while it is not known. */
interface Stretch {
  readonly label: string;
  total: number | null;
  value: number;
  readonly startedAt: number;
}

/** A bar on a terminal, lines in a log, events in a JSON log; with --quiet only warnings, which say what is missing. */
export function openProgress(session: Session): Progress {
  const warn = (sentence: string) => session.warn(cleanText(sentence, LONGEST_WARNING));
  const setRun = (run: number) => session.setRun(run);
  if (session.quiet) return { ...silent, setRun, warn };
  const canDraw = session.io.isTTY.stderr && !isDumb(session.io) && session.logFormat === 'text';
  const display = canDraw ? barDisplay(session) : logDisplay(session);
  let stretch: Stretch | undefined;
  let shownAt = 0;
  const update = () => {
    if (!stretch || performance.now() - shownAt < display.everyMs) return;
    shownAt = performance.now();
    display.show(stretch);
  };
  return {
    setRun,
    begin: (step, total) => {
      const label = 'month' in step ? `${step.month} ${step.brings}` : step.brings;
      stretch = { label, total, value: 0, startedAt: performance.now() };
      shownAt = stretch.startedAt;
    },
    expect: (total) => {
      if (stretch) stretch.total = total;
      update();
    },
    advance: (count) => {
      if (stretch) stretch.value += count;
      update();
    },
    warn: (sentence) => {
      display.clear();
      warn(sentence);
    },
    end: () => {
      display.clear();
      if (stretch && stretch.value > 0) {
        const { label, value, total } = stretch;
        const seconds = Math.round(secondsOf(stretch) * 10) / 10;
        session.event('done', { label, value, total, seconds }, `${label}: ${value} in ${seconds.toFixed(1)} s`);
      }
      stretch = undefined;
    },
  };
}

/** One line of the terminal, which each drawing overwrites. */
function barDisplay({ io }: Session): Display {
  const width = Math.max(10, Math.min(40, (io.columns ?? 80) - 60));
  let isDrawn = false;
  return {
    everyMs: DRAW_EVERY_MS,
    show: (stretch) => {
      // Cut to the terminal's width: a line that wraps could not be drawn over.
      const text = cleanText(describe(stretch, barText(stretch, width)), (io.columns ?? 80) - 1);
      io.stderr.write(`\r${text}\u001b[K`);
      isDrawn = true;
    },
    clear: () => {
      if (isDrawn) io.stderr.write('\r\u001b[K');
      isDrawn = false;
    },
  };
}

function logDisplay(session: Session): Display {
  return {
    everyMs: LOG_EVERY_MS,
    show: (stretch) => {
      const { label, value, total } = stretch;
      session.event('progress', { label, value, total }, describe(stretch, ''));
    },
    clear: () => {},
  };
}

function barText({ value, total }: Stretch, width: number): string {
  const done = Math.round(Math.min(1, Math.max(0, value / (total || 1))) * width);
  return `${'█'.repeat(done)}${'░'.repeat(width - done)}`;
}

/** `2026-10 invoices  ███░░░  120/400  35/s  8 s left` */
function describe(stretch: Stretch, bar: string): string {
  const { label, total, value } = stretch;
  const perSecond = value / Math.max(0.001, secondsOf(stretch));
  const timeLeft = total !== null && perSecond > 0 ? `${Math.ceil((total - value) / perSecond)} s left` : '';
  const count = total === null ? `${value}` : `${value}/${total}`;
  return [label, total === null ? '' : bar, count, `${Math.round(perSecond)}/s`, timeLeft].filter(Boolean).join('  ');
}

function secondsOf({ startedAt }: Stretch): number {
  return (performance.now() - startedAt) / 1_000;
}
