/** A background and the text colour that can be read on it, as six hex digits each. */
export interface Accent {
  readonly fill: string;
  readonly text: string;
}

const DEFAULT_FILL = '1F4E78';
/** `#abc` or `1F4E78`, with or without a hash. */
const HEX = /^#?(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{6}))$/i;

/** The accent from a brand's hex colour as the API states it; a sober blue if it states none, or something else. */
export function accentOf(colour: string | null): Accent {
  const [, red, green, blue, sixDigits] = HEX.exec(colour?.trim() ?? '') ?? [];
  const shortOrDefault = red === undefined ? DEFAULT_FILL : `${red}${red}${green}${green}${blue}${blue}`;
  const fill = (sixDigits ?? shortOrDefault).toUpperCase();
  const luminance = relativeLuminance(fill);
  // The one of black and white with the higher contrast, after WCAG 2.
  const contrastWithBlack = (luminance + 0.05) / 0.05;
  const contrastWithWhite = 1.05 / (luminance + 0.05);
  return { fill, text: contrastWithBlack > contrastWithWhite ? '000000' : 'FFFFFF' };
}

/** How light a colour is, after WCAG 2: 0 for black, 1 for white. */
function relativeLuminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
