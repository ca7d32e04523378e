// One source map for texts that are put one below the other. (A map may also have sections, but Node does not read those.)

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));

/**
 * @param parts the map of each text, and the line of the whole, from 0, on which it starts
 * @returns a source map of version 3
 */
export function joinMaps(file, parts) {
  const [sources, sourcesContent, names, lines] = [[], [], [], []];
  // What the numbers of a segment count on from: source, line, column, name.
  const written = [0, 0, 0, 0];
  for (const { line, map } of parts) {
    const read = [sources.length, 0, 0, names.length];
    while (lines.length < line) lines.push('');
    for (const segments of map.mappings.split(';')) lines.push(rebased(segments, read, written));
    sources.push(...map.sources);
    sourcesContent.push(...(map.sourcesContent ?? map.sources.map(() => null)));
    names.push(...(map.names ?? []));
  }
  return { version: 3, file, sources, sourcesContent, names, mappings: lines.join(';') };
}

/** The segments of a line, with numbers that count on from what was written before. */
function rebased(segments, read, written) {
  if (segments === '') return '';
  return segments
    .split(',')
    .map((segment) => {
      const [column, ...rest] = decoded(segment);
      return rest.reduce((text, change, at) => {
        read[at] += change;
        const encoded = encode(read[at] - written[at]);
        written[at] = read[at];
        return text + encoded;
      }, encode(column));
    })
    .join(',');
}

function decoded(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = VALUES.get(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function encode(number) {
  let value = number < 0 ? -number * 2 + 1 : number * 2;
  let text = '';
  do {
    const bits = value & 31;
    value >>= 5;
    text += DIGITS[value > 0 ? bits | 32 : bits];
  } while (value > 0);
  return text;
}
