/** A piece of css in one spelling: escapes read, comments gone, in lower case, numbers as their values. */
import { type ComponentValue, isFunctionNode, isSimpleBlockNode, isTokenNode } from '@csstools/css-parser-algorithms';
import { type CSSToken, stringify, TokenType } from '@csstools/css-tokenizer';

/** Beyond it nothing that is judged differs: what is further out of a page is out of it. */
const NUMBER_MAX = 1e9;

/** `Calc( 1E1PX - 5.0PX )` is `calc(10px - 5px)`. */
export function plainText(values: readonly ComponentValue[]): string {
  return textOf(values).replace(/ +/g, ' ').trim();
}

function textOf(values: readonly ComponentValue[]): string {
  return values
    .map((value) => {
      if (isTokenNode(value)) return textOfToken(value.value);
      if (isFunctionNode(value)) return `${value.getName().toLowerCase()}(${textOf(value.value).trim()})`;
      if (isSimpleBlockNode(value))
        return `${stringify(value.startToken)}${textOf(value.value).trim()}${closing(value.startToken)}`;
      return ' '; // white space or a comment: both separate
    })
    .join('');
}

function textOfToken(token: CSSToken): string {
  switch (token[0]) {
    case TokenType.Ident:
      return token[4].value.toLowerCase();
    case TokenType.AtKeyword:
      return `@${token[4].value.toLowerCase()}`;
    case TokenType.String:
      return `"${token[4].value.toLowerCase()}"`;
    case TokenType.URL:
      return `url(${token[4].value.toLowerCase()})`;
    case TokenType.Hash:
      return `#${token[4].value.toLowerCase()}`;
    case TokenType.Number:
      return numberText(token[4].value);
    case TokenType.Percentage:
      return `${numberText(token[4].value)}%`;
    case TokenType.Dimension:
      return `${numberText(token[4].value)}${token[4].unit.toLowerCase()}`;
    case TokenType.Delim:
      // Apart from what follows: in `1px*-9px` the sign is one of its own.
      return token[4].value === '*' || token[4].value === '/' ? ` ${token[4].value} ` : token[4].value;
    default:
      return stringify(token).toLowerCase();
  }
}

/** Never with an exponent, and never long. */
const numberText = (value: number): string =>
  String(Number(Math.max(-NUMBER_MAX, Math.min(NUMBER_MAX, value)).toFixed(5)));

const closing = ([type]: CSSToken): string => {
  if (type === TokenType.OpenCurly) return '}';
  return type === TokenType.OpenSquare ? ']' : ')';
};
