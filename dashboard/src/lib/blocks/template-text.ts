/**
 * Text with variables in it: addresses, alt texts and the words of a button. A variable is written as in Liquid,
 * `{{ subscriber.name | default: "there" }}`; everything else is meant as it stands, braces too.
 */
export interface VariableRef {
  path: string;
  /** '': none. */
  fallback: string;
}
export type TemplatePiece = string | VariableRef;

const NAME = '[A-Za-z_][A-Za-z0-9_-]*';
const PATH = `${NAME}(?:\\.${NAME})*`;
// Editors of other programs put no-break spaces between the braces; `\s` knows them.
const OUTPUT = `(?<!\\{)\\{\\{-?\\s*(${PATH})\\s*(?:\\|\\s*default:\\s*(?:"([^"{}]*)"|'([^'{}]*)')\\s*)?(?:\\|\\s*url_encode\\s*)?-?\\}\\}`;
/** The form for fallbacks that a Liquid string cannot hold. */
const CHOICE = `\\{% if (${PATH}) != blank %\\}\\{\\{ \\4(?: \\| url_encode)? \\}\\}\\{% else %\\}([^{]*)\\{% endif %\\}`;
const VARIABLE = new RegExp(`${OUTPUT}|${CHOICE}`, 'g');
const PATH_ONLY = new RegExp(`^${PATH}$`);

/** Names that are values of the template language and no variables. */
const WORDS = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);

/** Names of members of every object are none that data could have. */
export const isPath = (path: string): boolean =>
  path.length <= 200 &&
  PATH_ONLY.test(path) &&
  !WORDS.has(path) &&
  !/(?:^|\.)(?:__proto__|constructor|prototype)(?:\.|$)/.test(path);

export interface WrittenVariable extends VariableRef {
  index: number;
  /** As it is written. */
  text: string;
}

/** The variables in a text, in order. */
export function variablesIn(text: string): WrittenVariable[] {
  return [...text.matchAll(VARIABLE)].flatMap((match) => {
    const [whole, path, double, single, chosen, otherwise] = match;
    const name = path ?? chosen ?? '';
    if (!isPath(name)) return [];
    const fallback = double ?? single ?? decoded(otherwise ?? '', whole);
    return [{ path: name, fallback, index: match.index, text: whole }];
  });
}

/** The pieces of a text, in order; none is empty. */
export function piecesOf(text: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let at = 0;
  for (const { path, fallback, index, text: whole } of variablesIn(text)) {
    if (index > at) pieces.push(text.slice(at, index));
    pieces.push({ path, fallback });
    at = index + whole.length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** The words behind `else` in an address are encoded as the value is. */
function decoded(otherwise: string, whole: string): string {
  if (!whole.includes('| url_encode')) return otherwise;
  try {
    return decodeURIComponent(otherwise);
  } catch {
    return otherwise;
  }
}

/** As a person writes it, for subjects and for fields that hold a template text. */
export function writtenVariable({ path, fallback }: VariableRef): string {
  const said = fallback.replace(/[{}]/g, '');
  if (said === '') return `{{ ${path} }}`;
  const quote = said.includes('"') ? "'" : '"';
  return `{{ ${path} | default: ${quote}${said.replaceAll(quote, quote === "'" ? '’' : '”')}${quote} }}`;
}
