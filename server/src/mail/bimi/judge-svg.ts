import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { type BimiFault, faultsOf } from './fault.ts';

/** Mailbox providers refuse more (bimigroup.org, "Creating BIMI SVG Logo Files"). */
const MAX_BYTES = 32 * 1024;
/** Larger files are not read: they would be refused anyway. */
export const MAX_READ_BYTES = 2 * MAX_BYTES;
const MAX_TITLE_CHARS = 64;
/** The parser looks at all elements around one for its namespace, so depth costs by its square. */
const MAX_DEPTH = 64;
const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';

/** Elements of SVG Tiny PS (draft-svg-tiny-ps-abrotman): nothing that moves, runs, links, or is a bitmap. */
// biome-ignore format: a list of words
const ELEMENTS = new Set([
  'svg', 'title', 'desc', 'metadata', 'g', 'defs', 'use', 'switch', 'path', 'rect', 'circle', 'ellipse', 'line',
  'polyline', 'polygon', 'text', 'tspan', 'textArea', 'tbreak', 'linearGradient', 'radialGradient', 'solidColor', 'stop',
  'font', 'font-face', 'font-face-src', 'glyph', 'missing-glyph', 'hkern',
]);
/** Attributes of the root that may be left out, and have only one value if they are there. */
const FIXED: Readonly<Record<string, string>> = {
  zoomAndPan: 'disable',
  focusable: 'false',
  externalResourcesRequired: 'false',
  snapshotTime: 'none',
};

/** All faults of a logo as SVG Tiny PS, with their lines. The work is linear in the size; nothing is fetched. */
export function judgeSvg(bytes: Buffer, where: string): BimiFault[] {
  const faults: BimiFault[] = [];
  const note = faultsOf('svg', faults);
  if (bytes.length > MAX_BYTES) {
    note(
      'svg_too_large',
      where,
      `The logo has ${bytes.length} bytes; ${MAX_BYTES} are allowed.`,
      'Simplify its paths.',
    );
  }
  if (bytes.length > MAX_READ_BYTES) return faults;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    note('svg_compressed', where, 'The logo is compressed (gzip).', 'Publish it as plain SVG.');
    return faults;
  }
  const text = decode(bytes);
  if (text === undefined) {
    note('svg_encoding', where, 'The logo is not UTF-8.', 'Save it in UTF-8.');
    return faults;
  }
  readLogo(text, where, note);
  return faults;
}

class TooDeep extends Error {}

type Note = ReturnType<typeof faultsOf>;

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a logo once, from its first to its last character. */
function readLogo(text: string, where: string, note: Note): void {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const seen = new Set<string>();
  const once: Note = (code, place, message, remedy) => {
    if (seen.has(`${code} ${message}`)) return;
    seen.add(`${code} ${message}`);
    note(code, place, message, remedy);
  };
  const line = (): string => `${where}, line ${parser.line}`;
  let depth = 0;
  let title: string | undefined;
  let isInTitle = false;
  let isBroken = false;
  parser.on('error', (error) => {
    if (isBroken) return;
    isBroken = true;
    once(
      'svg_xml',
      line(),
      `The logo is no XML: ${error.message.replace(/^\d+:\d+: /, '')}`,
      'Mend it, or export it again.',
    );
  });
  parser.on('doctype', () => once('svg_doctype', line(), 'The logo has a DOCTYPE.', 'Remove <!DOCTYPE …>.'));
  parser.on('processinginstruction', ({ target }) => {
    once('svg_instruction', line(), `The logo has a processing instruction <?${target}?>.`, 'Remove it.');
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new TooDeep();
    if (depth === 1) judgeRoot(tag, line(), once);
    judgeElement(tag, line(), once);
    if (depth === 2 && tag.local === 'title' && title === undefined) {
      title = '';
      isInTitle = true;
    }
  });
  parser.on('text', (piece) => {
    if (isInTitle) title += piece;
  });
  parser.on('closetag', () => {
    depth -= 1;
    if (depth < 2) isInTitle = false;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    once('svg_depth', line(), `More than ${MAX_DEPTH} elements are inside of each other.`, 'Remove groups.');
    return;
  }
  if (isBroken) return;
  const name = title?.trim() ?? '';
  if (name === '') once('svg_title', where, 'The logo has no title.', 'Add <title> with the name of the company.');
  if (name.length > MAX_TITLE_CHARS) {
    once('svg_title_long', where, `The title has ${name.length} characters.`, `Use at most ${MAX_TITLE_CHARS}.`);
  }
}

/** The root as BIMI wants it: its profile, its version, a square view box, and no place of its own. */
function judgeRoot(tag: SaxesTagNS, place: string, note: Note): void {
  if (tag.local !== 'svg' || tag.uri !== SVG) {
    note('svg_root', place, `The root of the file is <${tag.name}> and no SVG.`, `Begin it with <svg xmlns="${SVG}">.`);
    return;
  }
  const value = (name: string): string | undefined => tag.attributes[name]?.value.trim();
  if (value('baseProfile') !== 'tiny-ps') {
    note('svg_profile', place, 'The root has no baseProfile="tiny-ps".', 'Add it to <svg>.');
  }
  if (value('version') !== '1.2') note('svg_version', place, 'The root has no version="1.2".', 'Add it to <svg>.');
  for (const name of ['x', 'y']) {
    if (value(name) !== undefined) note('svg_position', place, `The root has the attribute ${name}.`, 'Remove it.');
  }
  for (const [name, only] of Object.entries(FIXED)) {
    const found = value(name);
    if (found !== undefined && found !== only) {
      note('svg_attribute', place, `The root has ${name}="${found}".`, `Remove it, or write ${name}="${only}".`);
    }
  }
  for (const name of ['width', 'height']) {
    if (/(?:%|em|ex|rem|vw|vh|vmin|vmax)$/i.test(value(name) ?? '')) {
      note('svg_size', place, `The ${name} is relative (${value(name)}).`, 'Write it in pixels, or remove it.');
    }
  }
  judgeViewBox(value('viewBox'), place, note);
}

function judgeViewBox(viewBox: string | undefined, place: string, note: Note): void {
  const [, , width = Number.NaN, height = Number.NaN, ...rest] = (viewBox ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0) || rest.length > 0) {
    note(
      'svg_view_box',
      place,
      'The root has no viewBox with four numbers.',
      'Add one, such as viewBox="0 0 512 512".',
    );
  } else if (Math.abs(width - height) > width * 1e-4) {
    note('svg_not_square', place, `The logo is ${width} wide and ${height} high.`, 'Make its viewBox a square.');
  }
}

function judgeElement(tag: SaxesTagNS, place: string, note: Note): void {
  if (tag.uri === SVG && !ELEMENTS.has(tag.local)) {
    note('svg_element', place, `<${tag.local}> is not allowed in a logo.`, 'Remove it, or draw it as a path.');
  }
  for (const attribute of Object.values(tag.attributes)) judgeAttribute(attribute, place, note);
}

function judgeAttribute({ uri, local, name, value }: SaxesAttributeNS, place: string, note: Note): void {
  if (local === 'href' && (uri === '' || uri === XLINK) && !/^\s*#/.test(value)) {
    note('svg_reference', place, `${name} refers to something outside of the logo.`, 'Refer to ids in the file only.');
  }
  // `fill="url(#a)"` is a gradient of the logo itself.
  if (uri === '' && /url\(\s*['"]?\s*(?!['"]?\s*#)/i.test(value)) {
    note('svg_reference', place, `${name} refers to something outside of the logo.`, 'Refer to ids in the file only.');
  }
  if (uri === '' && /^on/i.test(local)) note('svg_handler', place, `${name} is an event handler.`, 'Remove it.');
  if (uri === '' && local === 'style') {
    note('svg_style', place, 'The attribute style is no part of SVG Tiny.', 'Write its properties as attributes.');
  }
}
