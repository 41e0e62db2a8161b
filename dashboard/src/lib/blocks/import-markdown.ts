import { Marked } from 'marked';
import { type Imported, importHtml } from './import-html.ts';

const markdown = new Marked({ gfm: true, breaks: false, async: false });

/** Markdown becomes html, and html becomes a document: whatever stands in it passes through the same gate. */
export const importMarkdown = (text: string): Imported => importHtml(markdown.parse(text, { async: false }));

const SIGNS = [
  /^#{1,6} \S/m,
  /^\s{0,3}(?:[-*+]|\d{1,9}[.)]) \S.*\n\s{0,6}(?:[-*+]|\d{1,9}[.)]) \S/m,
  /^\s{0,3}```/m,
  /^> \S/m,
  /\[[^\]\n]+\]\((?:https?:|mailto:|\/|#)[^)\s]*\)/,
  /(?<![\w*])\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*(?![\w*])/,
  /^\s{0,3}(?:-{3,}|\*{3,})\s*$/m,
];

/** Whether a person who pastes this text means Markdown. One sign is enough: none of them is usual in plain text. */
export const looksLikeMarkdown = (text: string): boolean => SIGNS.some((sign) => sign.test(text));
