/** Names the parts of an author's html that are wider than a mail: what does not shrink in every mail program. */
import { type Element, elementsOf, readTree } from '../frame/read-tree.ts';
import { type Finding, fine, warning } from './finding.ts';

/** The column of a mail. */
const WIDTH_PX = 600;
/** At 16 px a line of it holds about this many characters, and a phone half of them. */
const WORD_CHARS_MAX = 60;
const BREAKS = /[\s\u00ad\u200b-]+/;
/** The text of `pre` wraps by itself; the others show none. */
const NO_WORDS = new Set(['pre', 'style', 'script', 'title', 'template']);

export function checkWidth(html: string): Finding[] {
  const elements = [...elementsOf(readTree(html).document)];
  const findings = [...checkPictures(elements), ...checkBoxes(elements), ...checkLongWords(elements)];
  return findings.length > 0 ? findings : [fine('width', 'Nothing is wider than the mail.')];
}

function checkPictures(elements: readonly Element[]): Finding[] {
  const pictures = elements.filter(({ tagName }) => tagName === 'img');
  const widest = Math.max(0, ...pictures.map((one) => widthOf(one) ?? 0));
  const unsaid = pictures.filter((one) => widthOf(one) === undefined && !saysWidth(one)).length;
  return [
    ...(widest > WIDTH_PX
      ? [
          warning(
            'image_width',
            `An image is ${widest} px wide. Outlook does not shrink it: set its width to 600 or less.`,
          ),
        ]
      : []),
    ...(unsaid > 0
      ? [
          warning(
            'image_without_width',
            `${unsaid} of ${pictures.length} images ${unsaid === 1 ? 'has' : 'have'} no width attribute. Outlook shows them at full size: give a width of 600 or less.`,
          ),
        ]
      : []),
  ];
}

function checkBoxes(elements: readonly Element[]): Finding[] {
  const [wide] = elements.filter((one) => one.tagName !== 'img' && (widthOf(one) ?? 0) > WIDTH_PX);
  return wide === undefined
    ? []
    : [
        warning(
          'fixed_width',
          `A <${wide.tagName}> element has a fixed width of ${widthOf(wide)} px. It does not fit a phone: use max-width, or a width in percent.`,
        ),
      ];
}

function checkLongWords(elements: readonly Element[]): Finding[] {
  for (const { tagName, childNodes } of elements) {
    if (NO_WORDS.has(tagName)) continue;
    for (const node of childNodes) {
      const words = 'value' in node ? node.value.split(BREAKS) : [];
      const long = words.find((word) => word.length > WORD_CHARS_MAX);
      if (long === undefined) continue;
      return [
        warning(
          'long_word',
          `A word of ${long.length} characters ("${long.slice(0, 20)}…") is wider than a line. Some mail programs do not break it: add &shy; or <wbr>, or make it a link with a shorter text.`,
        ),
      ];
    }
  }
  return [];
}

/** In px, where the author gave it so. */
function widthOf({ attrs }: Element): number | undefined {
  const value = (name: string) => attrs.find((attribute) => attribute.name === name)?.value ?? '';
  const styled = /(?:^|;)\s*(?:min-)?width\s*:\s*(\d+)(?:\.\d+)?px/i.exec(value('style'))?.[1];
  const given = /^\s*(\d+)(?:px)?\s*$/.exec(value('width'))?.[1];
  const [width = 0] = [styled, given].flatMap((text) => (text === undefined ? [] : [Number(text)]));
  return width === 0 ? undefined : width;
}

/** In percent, or as a style that is not in px. */
const saysWidth = ({ attrs }: Element): boolean =>
  attrs.some(
    ({ name, value }) => (name === 'width' && value.trim() !== '') || (name === 'style' && /width\s*:/i.test(value)),
  );
