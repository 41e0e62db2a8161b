import { extname } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';
import { stringsOfDocument, stringsOfSource, testNamesOf, type WrittenString } from './written-strings.ts';

const COMMENT_COLUMNS_MAX = 120;
const PRONOUN = '(What|Who|Whoever|Whom|Those)';
const SENTENCE_START = new RegExp(`(?:^|[.!?:] |\\*\\* |>|\\n\\s*)["“(]?${PRONOUN}(?= )`, 'g');
const OPENAPI = 'server/openapi.json';
/** A comment for a tool must stand on one line. */
const DIRECTIVE = /(oxlint|biome)-/;
const CODE = new Set(['.ts', '.tsx', '.mjs', '.js', '.sql', '.sh', '.service', '.conf']);

/** A run of lines that one sentence may cross: a paragraph, a list item, a table cell or a comment. */
interface Passage {
  line: number;
  text: string;
}

/**
 * Documents, comments, test names, messages and every string of the API description are written in plain English
 * (CONTRIBUTING.md). A sentence that begins with a pronoun makes the reader wait for its noun; a comment wider than the
 * page is not read. Questions may begin so.
 */
export const plainWords: Check = {
  name: 'words',
  run({ root }) {
    return filesBelow(root)
      .filter(isWritten)
      .flatMap((file) => problemsOf(root, file));
  },
};

/** `schema.sql` is a dump, and this rule's own files quote sentences that it refuses. */
const isWritten = (file: string): boolean => !/^server\/(schema\.sql|checks\/plain-words(\.test)?\.ts)$/.test(file);

function problemsOf(root: string, file: string): string[] {
  const kind = extname(file);
  if (kind === '.md') return proseOf(readText(root, file)).flatMap((passage) => pronounProblems(file, passage));
  if (file === OPENAPI) return stringsOfDocument(readText(root, file)).flatMap((text) => stringProblems(file, text));
  if (!CODE.has(kind)) return [];
  const lines = readText(root, file).split('\n');
  return [
    ...commentsOf(lines).flatMap((passage) => pronounProblems(file, passage)),
    ...(kind === '.ts' ? problemsOfStrings(file, lines.join('\n')) : []),
    ...lines.flatMap((line, index) =>
      isComment(line) && line.length > COMMENT_COLUMNS_MAX && !DIRECTIVE.test(line)
        ? [`${file}:${index + 1} is a comment of ${line.length} columns; the limit is ${COMMENT_COLUMNS_MAX}`]
        : [],
    ),
  ];
}

const isTest = (file: string): boolean => isTestFile(file) || /\.(http|e2e)\.|\/test\//.test(file);

function pronounProblems(file: string, { line, text }: Passage): string[] {
  return [...text.matchAll(SENTENCE_START)].flatMap((match) => {
    const sentence = text.slice(match.index).replace(/^[.!?:*\s"“(]+/, '');
    const end = /[.!?](?=\s|$|["”)])/.exec(sentence);
    if (end?.[0] === '?') return [];
    const before = text.slice(0, match.index).split('\n').length - 1;
    return [`${file}:${line + before} begins a sentence with "${match[1]}": name the noun, or use "you"`];
  });
}

/** Of a test only its name is read: its other strings are mostly what it sends and expects. */
const problemsOfStrings = (file: string, text: string): string[] =>
  isTest(file)
    ? testNamesOf(file, text).flatMap((name) => testNameProblems(file, name))
    : stringsOfSource(file, text).flatMap((one) => stringProblems(file, one));

const stringProblems = (file: string, { where, text }: WrittenString): string[] =>
  pronounProblems(file, { line: 0, text }).map((problem) => problem.replace(/:0 /, `${where} `));

function testNameProblems(file: string, { where, text }: WrittenString): string[] {
  const name = text.replace(/^\d{3} /, '');
  return new RegExp(`^${PRONOUN} `, 'i').test(name) && !name.endsWith('?')
    ? [`${file}${where} names a test by a pronoun: name the subject`]
    : [];
}

/** Paragraphs, list items, headings and table cells of a document, without code. */
function proseOf(document: string): Passage[] {
  const text = document
    .replace(/^(\s*)(```|~~~)[\s\S]*?^\s*\2/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`\n]*`/g, (code) => `\`${'x'.repeat(code.length - 2)}\``);
  const passages: Passage[] = [];
  text.split('\n').forEach((line, index) => {
    const last = passages.at(-1);
    const isNew = /^\s*($|[-*] |\d+\. |#|\|)/.test(line);
    if (line.trim().startsWith('|'))
      for (const cell of line.split('|')) passages.push({ line: index + 1, text: cell.trim() });
    else if (isNew || last === undefined) passages.push({ line: index + 1, text: withoutMarker(line) });
    else if (last.text === '') passages.push({ line: index + 1, text: line.trim() });
    else last.text += ` ${line.trim()}`;
  });
  return passages.map(startOfBold);
}

const blank = (text: string): string => text.replace(/[^\n]/g, '');
const withoutMarker = (line: string): string => line.trim().replace(/^([-*]|\d+\.|#+) +/, '');
/** `**Title.** Sentence`: the title and the sentence each begin one. */
const startOfBold = ({ line, text }: Passage): Passage => ({ line, text: text.replace(/^\*\*/, '') });

const isComment = (line: string): boolean => /^\s*(\/\/|\/\*|\*(?!\*)|--|#(?!!))(\s|\*|$)/.test(line);

/** Comments, with the lines of one joined; a comment behind code stands for itself. */
function commentsOf(lines: string[]): Passage[] {
  const passages: Passage[] = [];
  let previous = -2;
  lines.forEach((line, index) => {
    const trailing = /[;,{)\]]\s+(?:\/\/|--) (.*)$/.exec(line)?.[1];
    if (isComment(line)) {
      const words = line
        .trim()
        .replace(/^(\/\*\*?|\*\/|\*|\/\/|--|#)\s?/, '')
        .replace(/\s*\*\/$/, '');
      const last = passages.at(-1);
      if (previous === index - 1 && last !== undefined && words !== '' && !line.includes('/**'))
        last.text += ` ${words}`;
      else passages.push({ line: index + 1, text: words });
      previous = index;
    } else if (trailing !== undefined) passages.push({ line: index + 1, text: trailing });
  });
  return passages;
}
