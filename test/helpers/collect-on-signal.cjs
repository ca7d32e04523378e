/** For a process started with --expose-gc: collects what nobody needs any more when it is told to. */
process.on('SIGUSR2', () => globalThis.gc());
