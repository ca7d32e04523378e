import type { CheckAnswer } from './answer.ts';

const isOpen = ({ status }: { status: string }): boolean => status !== 'resolved';
const ids = (answer: CheckAnswer | undefined): Set<string> =>
  new Set(answer?.mismatches.filter(isOpen).map(({ id }) => id));

/** `check --new` lists what opened, reopened or was resolved between two whole checks, and nothing else. */
export function compareNews(before: CheckAnswer | undefined, now: CheckAnswer, news: CheckAnswer): string[] {
  const [was, is] = [ids(before), ids(now)];
  const opened = [...is].filter((id) => !was.has(id));
  const resolved = [...was].filter((id) => !is.has(id));
  const told = news.mismatches.map(({ id }) => id);
  const faults = [
    ...[...opened, ...resolved].filter((id) => !told.includes(id)).map((id) => `check --new does not tell of ${id}`),
    ...told.filter((id) => was.has(id) === is.has(id)).map((id) => `check --new tells of ${id}, which is as it was`),
  ];
  if (news.resolved !== resolved.length) faults.push(`resolved is ${news.resolved}, must be ${resolved.length}`);
  // What reopened may be counted as new or not.
  if (news.new > opened.length) faults.push(`new is ${news.new}, must be at most ${opened.length}`);
  if (opened.length > 0 && before === undefined && news.new !== opened.length)
    faults.push(`new is ${news.new}, all are`);
  return faults;
}
