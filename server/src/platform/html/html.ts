/** Text that is HTML already. Only `html` and `trusted` make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES.get(sign) ?? sign);

type Value = Html | string | number | null | undefined | readonly (Html | string)[];

const render = (value: Value): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeHtml(String(value));
};

/** A template whose every value is escaped unless it is Html itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((text, part, index) => `${text}${render(values[index - 1])}${part}`));

/** Says that a text is safe HTML. The caller vouches for it: never for anything a person outside typed. */
export const trusted = (text: string): Html => new Html(text);
