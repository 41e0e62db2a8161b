/**
 * The document of the issue editor: plain JSON, in the shape that TipTap and ProseMirror read and write. It is stored
 * beside the html that is made from it, so its version changes with every change that old readers do not understand.
 */
export const DOCUMENT_VERSION = 2;
/** The first version had no tables, and is read as the present one is. */
export const READ_VERSIONS: readonly number[] = [1, DOCUMENT_VERSION];

/** The `editor` of an issue, as the server keeps it. */
export interface StoredDocument {
  kind: 'blocks';
  version: typeof DOCUMENT_VERSION;
  document: BlockDocument;
}

export interface BlockDocument {
  type: 'doc';
  content: Block[];
}

export type Align = 'left' | 'center' | 'right';
export const ALIGNS: readonly Align[] = ['left', 'center', 'right'];

export interface Paragraph {
  type: 'paragraph';
  attrs: { align: Align };
  content: Inline[];
}
export interface Heading {
  type: 'heading';
  attrs: { level: 1 | 2 | 3; align: Align };
  content: Inline[];
}
export interface BulletList {
  type: 'bulletList';
  content: ListItem[];
}
export interface OrderedList {
  type: 'orderedList';
  attrs: { start: number };
  content: ListItem[];
}
export interface ListItem {
  type: 'listItem';
  /** A paragraph first. */
  content: (Paragraph | BulletList | OrderedList)[];
}
export interface Quote {
  type: 'blockquote';
  content: (Paragraph | Heading | BulletList | OrderedList)[];
}
export interface CodeBlock {
  type: 'codeBlock';
  content: Text[];
}
export interface Divider {
  type: 'horizontalRule';
}
/**
 * `src`, `alt` and `href` may hold variables; see `template-text.ts`. `width` is in CSS pixels; null: all the room.
 * `ratio` is the height of one pixel of width, where it is known: mail then keeps the place of a picture that is not
 * there yet. `decorative`: it says nothing, so it needs no alternative text.
 */
export interface Picture {
  type: 'picture';
  attrs: {
    src: string;
    alt: string;
    width: number | null;
    ratio: number | null;
    decorative: boolean;
    href: string;
    align: Align;
  };
}
export interface Button {
  type: 'button';
  attrs: { text: string; href: string; align: Align };
}
export interface Columns {
  type: 'columns';
  /** Two or three. */
  content: Column[];
}
export interface Column {
  type: 'column';
  content: Exclude<Block, Columns>[];
}
/** Of data: every row has the same number of cells. */
export interface Table {
  type: 'table';
  content: TableRow[];
}
export interface TableRow {
  type: 'tableRow';
  content: TableCell[];
}
export interface TableCell {
  type: 'tableCell' | 'tableHeader';
  content: [Paragraph];
}
/** Html of the author's, which goes into the mail as it is. */
export interface RawHtml {
  type: 'rawHtml';
  attrs: { html: string };
}

export type Block =
  | Paragraph
  | Heading
  | BulletList
  | OrderedList
  | Quote
  | CodeBlock
  | Divider
  | Picture
  | Button
  | Columns
  | Table
  | RawHtml;
export type List = BulletList | OrderedList;

export type Mark =
  | { type: 'bold' | 'italic' | 'underline' | 'strike' | 'code' }
  | { type: 'link'; attrs: { href: string } };

export interface Text {
  type: 'text';
  text: string;
  marks?: Mark[];
}
/** A value of the reader's, such as `subscriber.name`, and the words for readers who have none. */
export interface Variable {
  type: 'variable';
  attrs: { path: string; fallback: string };
  marks?: Mark[];
}
export interface HardBreak {
  type: 'hardBreak';
}
export type Inline = Text | Variable | HardBreak;

/** Outermost first: the order in which they are nested in html. */
export const MARK_ORDER = ['link', 'bold', 'italic', 'underline', 'strike', 'code'] as const;

/** Each level of a list takes four of the 32 levels that the JSON of a request may have. */
export const LIST_DEPTH_MAX = 4;

/** More cells in a row would be too narrow to read, also on a desktop. */
export const TABLE_COLUMNS_MAX = 10;
/** The rows of a longer table go on in another one. */
export const TABLE_ROWS_MAX = 200;

export const emptyParagraph = (): Paragraph => ({ type: 'paragraph', attrs: { align: 'left' }, content: [] });
export const emptyDocument = (): BlockDocument => ({ type: 'doc', content: [emptyParagraph()] });
export const storedDocument = (document: BlockDocument): StoredDocument => ({
  kind: 'blocks',
  version: DOCUMENT_VERSION,
  document,
});
