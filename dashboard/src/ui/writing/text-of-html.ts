import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterMap['childNode'];

// biome-ignore format: a list of words
const BLOCKS = new Set([
  'address', 'article', 'aside', 'blockquote', 'br', 'center', 'dd', 'div', 'dl', 'dt', 'figcaption', 'figure', 'footer',
  'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'ol', 'p', 'pre', 'section', 'table', 'tr', 'ul',
]);
const UNSEEN = new Set(['head', 'script', 'style', 'template', 'title']);

/** The words of a mail, a line for each block, with the addresses of its links and the names of its pictures. */
export function textOfHtml(html: string): string {
  const pieces: string[] = [];
  // The end tag of an element waits below its children.
  const open: (Node | string)[] = parseFragment(html).childNodes.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') pieces.push(node);
    else if ('value' in node) pieces.push(node.value.replace(/\s+/g, ' '));
    else if ('tagName' in node && !UNSEEN.has(node.tagName)) {
      const { tagName, attrs, childNodes } = node;
      const attribute = (name: string): string => attrs.find((one) => one.name === name)?.value ?? '';
      const line = BLOCKS.has(tagName) ? '\n' : '';
      const [before, after] =
        tagName === 'a' && attribute('href') !== ''
          ? ['', ` (${attribute('href')})`]
          : tagName === 'img'
            ? [`[Picture: ${attribute('alt') || attribute('src').slice(0, 200)}]`, '']
            : tagName === 'td'
              ? ['', ' ']
              : ['', ''];
      pieces.push(line + before);
      open.push(after + line, ...childNodes.toReversed());
    }
  }
  return pieces
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
