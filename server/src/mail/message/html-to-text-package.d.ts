// html-to-text ships no types; this is the part we use, read from its version 10 README.
declare module 'html-to-text' {
  export interface ElementNode {
    /** Of an element, in small letters. */
    name?: string;
    attribs?: Record<string, string>;
    parent?: ElementNode | null;
    prev?: ElementNode | null;
    children?: readonly ElementNode[];
  }
  interface TextBuilder {
    metadata?: { href: string; words: string }[];
    addInline(text: string, options?: { noWordTransform?: boolean }): void;
    pushWordTransform(transform: (word: string) => string): void;
    popWordTransform(): void;
  }
  type Walk = (nodes: readonly ElementNode[] | undefined, builder: TextBuilder) => void;
  interface HtmlToTextOptions {
    wordwrap?: number | false | null;
    limits?: { maxInputLength?: number; maxDepth?: number; maxChildNodes?: number; ellipsis?: string };
    formatters?: Record<string, (element: ElementNode, walk: Walk, builder: TextBuilder) => void>;
    selectors?: { selector: string; format?: string; options?: Record<string, unknown> }[];
  }
  export function compile(options: HtmlToTextOptions): (html: string, metadata?: TextBuilder['metadata']) => string;
}
