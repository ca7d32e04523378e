import { describe, expect, it } from 'vitest';
import { accentOf } from '../../src/render/colour.ts';
import { readImage } from '../../src/render/statement/html/first-page.tsx';

describe("a brand's colour", () => {
  it.each([
    ['#0B6E4F', { fill: '0B6E4F', text: 'FFFFFF' }],
    ['ffe', { fill: 'FFFFEE', text: '000000' }],
    [' #FFFFFF ', { fill: 'FFFFFF', text: '000000' }],
    ['red', { fill: '1F4E78', text: 'FFFFFF' }],
    ['#12345', { fill: '1F4E78', text: 'FFFFFF' }],
    ['"/><x', { fill: '1F4E78', text: 'FFFFFF' }],
    [null, { fill: '1F4E78', text: 'FFFFFF' }],
  ])('%j gives a ground and letters that can be read on it', (colour, accent) => {
    expect(accentOf(colour)).toEqual(accent);
  });
});

describe('a logo', () => {
  const png = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from([0, 0, 1, 64, 0, 0, 0, 90, 8, 2, 0, 0, 0]),
  ]);
  const jpeg = Buffer.from('ffd8ffe000044a46ffc4000300ffc0001108005a014003', 'hex');

  it('is read for its size', () => {
    expect(readImage(png)).toMatchObject({ kind: 'png', width: 320, height: 90 });
    expect(readImage(jpeg)).toMatchObject({ kind: 'jpeg', width: 320, height: 90 });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an HTML page', Buffer.from('<!doctype html><html></html>')],
    ['a PNG cut short', png.subarray(0, 20)],
    ['a JPEG without a frame', Buffer.from('ffd8ffe000104a4649460001', 'hex')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a huge file', Buffer.concat([png, Buffer.alloc(3_000_000)])],
  ])('is left out when it is %s', (_, bytes) => {
    expect(readImage(bytes)).toBeNull();
  });
});
