import { AppError, invalid } from '../../errors/app-error.ts';
import { FIELDS_MAX } from '../fields/read-fields.ts';
import { tooManyFields } from './strict-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The fields of an HTML form (application/x-www-form-urlencoded) as one object of strings. As strict as our JSON: UTF-8
 * only, no field twice, no text that PostgreSQL refuses. A browser sends every field of a form, so one that was left
 * empty counts as not given.
 */
export function parseForm(bytes: Buffer): Record<string, string> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new AppError('validation_error', 'The form is not in UTF-8.');
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    // U+FFFD stands where percent-encoded bytes were no UTF-8.
    if (/[\u0000\ufffd]/.test(name + value)) throw invalid(name, `${name} has characters that are not allowed`);
    if (fields.has(name)) throw invalid(name, `${name} was given twice`);
    fields.set(name, value);
    if (fields.size > FIELDS_MAX) throw tooManyFields('form', name);
  }
  // Defines own properties, so that a field called __proto__ is a field like any other.
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''));
}
