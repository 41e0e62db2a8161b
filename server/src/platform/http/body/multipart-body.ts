import { AppError, invalid } from '../../errors/app-error.ts';

const PARTS_MAX = 50;
// RFC 2046, 5.1.1: 1 to 70 of these, quoted when the header says so, and no space at the end.
const BOUNDARY =
  /;\s*boundary=(?:"([A-Za-z0-9'()+_,\-./:=? ]{0,69}[A-Za-z0-9'()+_,\-./:=?])"|([A-Za-z0-9'+_.-]{1,70}))\s*(?:;|$)/i;
const NAME = /^form-data\s*;\s*name="([^"\\\r\n]{1,200})"\s*$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text fields of a multipart/form-data body (RFC 7578) as one object: what a mail program may send to unsubscribe
 * (RFC 8058, 3.2). As strict as our other forms: UTF-8, no field twice, nothing that PostgreSQL refuses, no files.
 */
export function parseMultipart(contentType: string, bytes: Buffer): Record<string, string> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) throw unreadable();
  // Latin-1 keeps every byte as one character, so that places in the text are places in the bytes.
  const text = `\r\n${bytes.toString('latin1')}`;
  const [before, ...parts] = text.split(`\r\n--${boundary}`);
  const last = parts.pop();
  if (before === undefined || last === undefined || !/^--[ \t]*(\r\n|$)/.test(last)) throw unreadable();
  if (parts.length > PARTS_MAX) throw unreadable();
  const fields = new Map<string, string>();
  for (const part of parts) {
    const [name, value] = readPart(part);
    if (fields.has(name)) throw invalid(name, `${name} was given twice`);
    fields.set(name, value);
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''));
}

/** The boundary that a content type names. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? plain;
}

function readPart(part: string): [name: string, value: string] {
  const [, headers, content] = /^[ \t]*\r\n((?:[^\r\n]+\r\n)*)\r\n([\s\S]*)$/.exec(part) ?? [];
  if (headers === undefined || content === undefined) throw unreadable();
  const disposition = /^content-disposition:[ \t]*([^\r\n]*)\r\n/im.exec(headers)?.[1] ?? '';
  const name = decoded(NAME.exec(disposition)?.[1] ?? '');
  // A file name makes another disposition of it, and another encoding is none that browsers use.
  if (name === '' || /^content-transfer-encoding:/im.test(headers)) throw unreadable();
  const value = decoded(content);
  if (/[\u0000\ufffd]/.test(name + value)) throw invalid(name, `${name} has characters that are not allowed`);
  return [name, value];
}

function decoded(latin1: string): string {
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    throw new AppError('validation_error', 'The form is not in UTF-8.');
  }
}

const unreadable = (): AppError => new AppError('validation_error', 'The form cannot be read.');
