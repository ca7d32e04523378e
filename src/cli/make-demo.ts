import { openSession, type Session } from './session.ts';

/** Makes the demo in a folder. @returns the demo, and a session in that folder */
export async function makeDemo(session: Session, folder: string) {
  const { runDemo } = await import('../app/demo/index.ts');
  const { openProgress } = await import('./progress.ts');
  const { io, json, quiet, verbose, logFormat } = session;
  // Without the user's environment, which may name a real account: that must not get into the demo's ledger.
  const sessionIn = (directory: string, courier?: string) =>
    openSession(
      { ...io, env: { NO_COLOR: io.env.NO_COLOR } },
      { json, quiet, verbose, logFormat, directory, ...(courier === undefined ? {} : { courier }) },
    );
  const demoSession = sessionIn(folder);
  const demo = await runDemo(folder, {
    now: io.now,
    progress: openProgress(demoSession),
    note: demoSession.note,
    books: () => demoSession.books(),
    booksIn: (inside, courier) => sessionIn(inside, courier).books(),
  });
  return { demo, demoSession };
}
