// The end of `npm run build`: runs a lesson, which is some command lines, and writes V8's code cache of each pack that they loaded,
// with what they made V8 compile. A process for each lesson: V8 keeps what it has compiled as long as the process lives, and a cache
// that holds more than most commands need takes longer to read than it saves.
// Prints the names of the chunks that the lesson loaded.
// usage: node train.mjs FOLDER_OF_PACKS LESSON_AS_JSON
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { writeCache } from './cache.mjs';
import { loaderOf } from './load.mjs';

const [bin, lesson] = process.argv.slice(2);

// V8 throws away what it compiled and has not called for a while. Set back below: a cache is only taken under the flags it was made with.
setFlagsFromString('--no-flush-bytecode');
const loaded = new Map();
const chunks = [];
const { run } = loaderOf(bin, {
  onScript: (pack, script, source) => loaded.set(pack, { script, source }),
  onChunk: (name) => chunks.push(name),
})('run');
for (const argv of JSON.parse(lesson)) {
  const told = [];
  const code = await run(argv, surroundings(told));
  // 3: there are mismatches, as there are meant to be in the demo.
  if (code !== 0 && code !== 3) throw new Error(`remit ${argv.join(' ')} ended with ${code}: ${told.join('')}`);
}
setFlagsFromString('--flush-bytecode');
for (const [pack, { script, source }] of loaded) writeCache(bin, pack, source, script.createCachedData());
process.stdout.write(JSON.stringify(chunks));

/** What main.ts lends to the command line, with none of this machine's settings. */
function surroundings(told) {
  const stream = (keep) =>
    new Writable({
      write(text, _encoding, done) {
        if (keep) told.push(String(text));
        done();
      },
    });
  return {
    stdin: process.stdin,
    stdout: stream(false),
    stderr: stream(true),
    env: {},
    cwd: process.cwd(),
    now: () => new Date(),
    isTTY: { stdin: false, stdout: false, stderr: false },
    columns: undefined,
    program: 'remit',
    signal: new AbortController().signal,
  };
}
