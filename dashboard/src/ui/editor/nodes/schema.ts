/** The blocks that TipTap does not bring, and the bounds of those that it does. */
import { Extension, InputRule, mergeAttributes, Node, nodePasteRule } from '@tiptap/core';
import { LIST_DEPTH_MAX } from '../../../lib/blocks/document.ts';
import { isHeld } from '../../../lib/blocks/held-picture.ts';
import { variablesIn, writtenVariable, type WrittenVariable } from '../../../lib/blocks/template-text.ts';
import { isOfAnotherServer, shownAddress, wordsForElsewhere } from '../../../lib/mail/own-picture.ts';

const attribute = (name: string, value: unknown = '') => ({
  default: value,
  parseHTML: (element: HTMLElement) => element.getAttribute(`data-${name}`) ?? value,
  renderHTML: (attributes: Record<string, unknown>) => ({ [`data-${name}`]: attributes[name] }),
});

/** An attribute of an element is text; a copy within the editor must not make text of a number. */
const numberAttribute = (name: string) => ({
  default: null,
  parseHTML: (element: HTMLElement) => Number.parseFloat(element.getAttribute(`data-${name}`) ?? '') || null,
  renderHTML: (attributes: Record<string, unknown>) => ({ [`data-${name}`]: attributes[name] }),
});

const attributesOf = ({ path, fallback }: WrittenVariable) => ({ path, fallback });

/** The variable that a text ends with, for the moment when its last brace is typed. */
const endOf = (text: string): WrittenVariable | undefined =>
  variablesIn(text).find((one) => one.index + one.text.length === text.length);

export const VariableNode = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ path: attribute('path'), fallback: attribute('fallback') }),
  parseHTML: () => [{ tag: 'span[data-path]' }],
  renderHTML({ node, HTMLAttributes }) {
    const { path, fallback } = node.attrs;
    const spoken = fallback === '' ? path : `${path}, or “${fallback}”`;
    return ['span', mergeAttributes(HTMLAttributes, { role: 'img', 'aria-label': `Variable ${spoken}` }), String(path)];
  },
  renderText: ({ node }) => writtenVariable({ path: node.attrs['path'], fallback: node.attrs['fallback'] }),
  // Braces that stand as text reach the reader as they are. In code nothing is replaced.
  addInputRules() {
    return [
      new InputRule({
        find: (text) => {
          const written = endOf(text);
          return written === undefined
            ? null
            : { index: written.index, text: written.text, data: attributesOf(written) };
        },
        handler: ({ state: { tr, doc }, range: { from, to }, match }) => {
          tr.replaceWith(from, to, this.type.create(match.data, null, doc.resolve(from).marks()));
        },
      }),
    ];
  },
  addPasteRules() {
    return [
      nodePasteRule({
        find: (text) => variablesIn(text).map((one) => ({ index: one.index, text: one.text, data: attributesOf(one) })),
        type: this.type,
        getAttributes: (match) => match.data,
      }),
    ];
  },
});

export const PictureNode = Node.create({
  name: 'picture',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: attribute('src'),
    alt: attribute('alt'),
    width: numberAttribute('width'),
    ratio: numberAttribute('ratio'),
    decorative: {
      default: false,
      parseHTML: (element: HTMLElement) => element.dataset['decorative'] === 'true',
      renderHTML: ({ decorative }: Record<string, unknown>) => ({ 'data-decorative': String(decorative) }),
    },
    href: attribute('href'),
    align: attribute('align', 'left'),
  }),
  parseHTML: () => [{ tag: 'figure[data-src]' }],
  renderHTML({ node, HTMLAttributes }) {
    const { src, alt, width, ratio, decorative } = node.attrs;
    if (isHeld(src))
      return ['figure', mergeAttributes(HTMLAttributes, { 'data-held': '' }), ['span', {}, 'Uploading …']];
    const size = width === null ? {} : { width, ...(ratio === null ? {} : { height: Math.round(width * ratio) }) };
    const open = alt === '' && decorative !== true ? { 'data-silent': '' } : {};
    const shown = ['img', { src: shownAddress(String(src)), alt, ...size, draggable: 'false' }] as const;
    // The policy of the page loads no picture of another server, and a browser would draw it as broken.
    const words = wordsForElsewhere(String(src), String(alt));
    const elsewhere = isOfAnotherServer(String(src)) ? { 'data-elsewhere': words } : {};
    return ['figure', mergeAttributes(HTMLAttributes, open, elsewhere), shown];
  },
});

export const ButtonNode = Node.create({
  name: 'button',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ text: attribute('text'), href: attribute('href'), align: attribute('align', 'left') }),
  parseHTML: () => [{ tag: 'div[data-text]' }],
  renderHTML({ node, HTMLAttributes }) {
    const words = node.attrs['text'] || 'Button without words';
    const isOpen = node.attrs['href'] === '';
    return [
      'div',
      mergeAttributes(HTMLAttributes, { 'data-button': '', ...(isOpen ? { 'data-open': '' } : {}) }),
      ['span', {}, words],
    ];
  },
});

export const RawHtmlNode = Node.create({
  name: 'rawHtml',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ html: attribute('html') }),
  parseHTML: () => [{ tag: 'div[data-html]' }],
  renderHTML({ node, HTMLAttributes }) {
    return [
      'div',
      mergeAttributes(HTMLAttributes, { 'data-raw': '' }),
      ['pre', {}, node.attrs['html'] || 'Empty HTML block'],
    ];
  },
});

const IN_COLUMN =
  '(paragraph | heading | bulletList | orderedList | blockquote | codeBlock | horizontalRule | picture | button | table | rawHtml)+';

export const ColumnsNode = Node.create({
  name: 'columns',
  group: 'block',
  content: 'column{2,3}',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-columns]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-columns': node.childCount }),
    0,
  ],
});
export const ColumnNode = Node.create({
  name: 'column',
  content: IN_COLUMN,
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-column]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { 'data-column': '' }), 0],
});

export const Alignment = Extension.create({
  name: 'alignment',
  addGlobalAttributes: () => [{ types: ['paragraph', 'heading'], attributes: { align: attribute('align', 'left') } }],
});

/** Deeper lists would make JSON that no request may have. */
export const ListDepth = Extension.create({
  name: 'listDepth',
  priority: 1_000,
  addKeyboardShortcuts() {
    return {
      Tab: () => {
        const { $from } = this.editor.state.selection;
        let depth = 0;
        for (let at = $from.depth; at > 0; at -= 1) if ($from.node(at).type.name === 'listItem') depth += 1;
        return depth >= LIST_DEPTH_MAX;
      },
    };
  },
});
