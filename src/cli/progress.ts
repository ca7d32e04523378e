import type { SingleBar } from 'cli-progress';
import { type Progress, silent } from '../app/sync.ts';
import { cleanText } from '../text.ts';
import type { Session } from './session.ts';

/** How often a log that is not a terminal hears of a long stretch of work. */
const LOG_EVERY_MS = 10_000;

/** A progress bar on a terminal, plain lines in a log, and with --quiet nothing but warnings, which say what is missing. */
export async function openProgress(session: Session): Promise<Progress> {
  const warn = (sentence: string) =>
    void session.io.stderr.write(`warning: ${session.mask(cleanText(sentence, 2_000))}\n`);
  if (session.quiet) return { ...silent, warn };
  return session.io.isTTY.stderr ? openBar(session, warn) : openLog(session, warn);
}

interface Stretch {
  readonly label: string;
  total: number | null;
  value: number;
  readonly startedAt: number;
}

async function openBar(session: Session, warn: (sentence: string) => void): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress');
  const { stderr } = session.io;
  let stretch: Stretch | undefined;
  let bar: SingleBar | undefined;
  const width = Math.max(10, Math.min(40, (session.io.columns ?? 80) - 60));
  const format = (_options: unknown, { progress }: { progress: number }) =>
    stretch ? describe(stretch, filled(progress, width)) : '';
  return {
    begin: (label, total) => {
      stretch = { label, total, value: 0, startedAt: performance.now() };
      bar = new cliProgress.SingleBar({
        stream: stderr as NodeJS.WritableStream,
        format,
        clearOnComplete: true,
        // What it would do on Ctrl-C, our own handler does when the document in flight has landed.
        gracefulExit: false,
        linewrap: true,
      });
      bar.start(total ?? 0, 0);
    },
    expect: (total) => {
      if (stretch) stretch.total = total;
      bar?.setTotal(total);
    },
    advance: (count) => {
      if (stretch) stretch.value += count;
      bar?.increment(count);
    },
    warn: (sentence) => {
      // Over the bar, which draws itself again on the line below.
      if (bar) stderr.write('\r\u001b[K');
      warn(sentence);
    },
    end: () => {
      bar?.stop();
      bar = undefined;
      if (stretch && stretch.value > 0) session.note(summarise(stretch));
      stretch = undefined;
    },
  };
}

function openLog(session: Session, warn: (sentence: string) => void): Progress {
  let stretch: Stretch | undefined;
  let loggedAt = 0;
  return {
    begin: (label, total) => {
      stretch = { label, total, value: 0, startedAt: performance.now() };
      loggedAt = stretch.startedAt;
    },
    expect: (total) => {
      if (stretch) stretch.total = total;
    },
    advance: (count) => {
      if (!stretch) return;
      stretch.value += count;
      if (performance.now() - loggedAt < LOG_EVERY_MS) return;
      loggedAt = performance.now();
      session.note(describe(stretch, ''));
    },
    warn,
    end: () => {
      if (stretch && stretch.value > 0) session.note(summarise(stretch));
      stretch = undefined;
    },
  };
}

function filled(progress: number, width: number): string {
  const done = Math.round(Math.min(1, Math.max(0, progress)) * width);
  return `${'█'.repeat(done)}${'░'.repeat(width - done)}`;
}

/** `2026-10 invoices  ███░░░  120/400  35/s  8 s left` */
function describe(stretch: Stretch, bar: string): string {
  const { label, total, value } = stretch;
  const perSecond = value / Math.max(0.001, secondsOf(stretch));
  const left = total !== null && perSecond > 0 ? `${Math.ceil((total - value) / perSecond)} s left` : '';
  const count = total === null ? `${value}` : `${value}/${total}`;
  return [label, total === null ? '' : bar, count, `${Math.round(perSecond)}/s`, left].filter(Boolean).join('  ');
}

function summarise(stretch: Stretch): string {
  return `${stretch.label}: ${stretch.value} in ${secondsOf(stretch).toFixed(1)} s`;
}

function secondsOf({ startedAt }: Stretch): number {
  return (performance.now() - startedAt) / 1_000;
}
