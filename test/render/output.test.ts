import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { renderReport } from '../../src/render/report.ts';
import { reportOf, text } from '../helpers/render.ts';

const options = { generatedAt: new Date(0) };

describe('writing to a stream', () => {
  it('reads rows no faster than they are taken', async () => {
    let read = 0;
    let written = 0;
    let mostAhead = 0;
    const rows = (function* () {
      for (; read < 20_000; read += 1) yield { text: 'x'.repeat(100) };
    })();
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        mostAhead = Math.max(mostAhead, read * 100 - written);
        written += chunk.length;
        setImmediate(done);
      },
    });
    await renderReport(reportOf([text('text')], rows), 'csv', slow, options);
    expect(written).toBeGreaterThan(2_000_000);
    expect(mostAhead).toBeLessThan(400_000);
  });

  it.each([
    ['a broken pipe ends it silently', 'EPIPE', false],
    ['any other failure is thrown', 'EIO', true],
  ])('%s', async (_, code, throws) => {
    let read = 0;
    const rows = (function* () {
      for (; read < 1_000_000; read += 1) yield { text: 'x'.repeat(1_000) };
    })();
    const broken = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error(code), { code }));
      },
    });
    const rendering = renderReport(reportOf([text('text')], rows), 'csv', broken, options);
    if (throws) await expect(rendering).rejects.toThrow(code);
    else await rendering;
    expect(read).toBeLessThan(5_000);
  });
});
