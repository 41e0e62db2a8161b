/** Colours that a newsletter's own one becomes where it would not be readable (WCAG 2.2: 1.4.3, 1.4.11). */
export interface Palette {
  /** The colour itself: what buttons are filled with. */
  fill: string;
  /** On `fill`: 4.5:1. */
  onFill: string;
  /** Links and other text: 4.5:1 on every surface. */
  text: string;
  /** Borders of buttons and the ring around what has the focus: 3:1 on every surface. */
  edge: string;
}

export interface Surfaces {
  ground: string;
  card: string;
  /** Behind forms, code and notes on a card. In the dark it is lighter than the card. */
  box: string;
}

export const LIGHT: Surfaces = { ground: '#f4f5f7', card: '#ffffff', box: '#f4f5f7' };
export const DARK: Surfaces = { ground: '#14161a', card: '#1e2126', box: '#2a2e36' };

/** The colour of newsletters without one of their own. */
export const DEFAULT_ACCENT = '#3d5afe';

const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;
const STEPS = 64;

type Rgb = readonly [number, number, number];

/** `accent` is `#rgb` or `#rrggbb`; anything else counts as none. */
export function paletteOf(accent: string | null, surfaces: Surfaces): Palette {
  const fill = rgbOf(accent ?? '') ?? rgbOf(DEFAULT_ACCENT) ?? [0, 0, 0];
  const against = Object.values(surfaces).map((surface: string) => rgbOf(surface) ?? fill);
  return {
    fill: hexOf(fill),
    // One of the two always reaches 4.58:1.
    onFill: contrast(fill, [255, 255, 255]) >= TEXT_CONTRAST ? '#ffffff' : '#000000',
    text: hexOf(readable(fill, against, TEXT_CONTRAST)),
    edge: hexOf(readable(fill, against, EDGE_CONTRAST)),
  };
}

/** The nearest colour, on the way to black or white, that stands out from all surfaces by `ratio`. */
function readable(colour: Rgb, against: readonly Rgb[], ratio: number): Rgb {
  const isLight = against.every((surface) => luminance(surface) > 0.18);
  const goal = isLight ? 0 : 255;
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(colour, goal, step / STEPS);
    if (against.every((surface) => contrast(mixed, surface) >= ratio)) return mixed;
  }
  return [goal, goal, goal];
}

const mix = ([r, g, b]: Rgb, goal: number, share: number): Rgb => {
  const towards = (part: number): number => Math.round(part + (goal - part) * share);
  return [towards(r), towards(g), towards(b)];
};

/** From 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [rgbOf(one), rgbOf(other)];
  return a === undefined || b === undefined ? 1 : contrast(a, b);
}

function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: Rgb): number {
  const linear = (part: number): number => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

function rgbOf(hex: string): Rgb | undefined {
  const [, digits] = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(hex) ?? [];
  if (digits === undefined) return undefined;
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const part = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

const hexOf = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
