/** A request's description of its visitor: all that the pages behind a link need to know of HTTP. */
export interface Visitor {
  method: string;
  ip: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A header once; '' when there is none. */
export function headerOf({ headers }: Visitor, name: string): string {
  const value = headers[name] ?? '';
  return typeof value === 'string' ? value : value.join(', ');
}

/** A browser that posts a form shows what it gets; a script asks for anything, or for JSON. */
export const wantsPage = (visitor: Visitor): boolean =>
  /\btext\/html\b/i.test(headerOf(visitor, 'accept')) && !/^application\/json/i.test(headerOf(visitor, 'content-type'));
