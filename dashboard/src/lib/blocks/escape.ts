/** Escaping for the html of mail, which is a Liquid template as well: nothing of a text may be read as either. */
import { piecesOf, type VariableRef } from './template-text.ts';
import { ownEntry } from '../own-entry.ts';

export type Place = 'text' | 'attribute';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
  '\u00a0': '&nbsp;',
};
// Neither html nor JSON may hold them; line breaks and tabs are white space.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

export const cleanText = (text: string): string => text.toWellFormed().replace(CONTROLS, '').replace(/\r\n?/g, '\n');

/** A brace counts when a second one or a percent sign follows, and when something else may follow it. */
const inText = (text: string): string =>
  cleanText(text).replace(/[&<>\u00a0]|\{(?=[{%]|$)/g, (character) => ownEntry(ENTITIES, character) ?? '');
const inAttribute = (text: string): string =>
  cleanText(text)
    .replace(/\s/g, (space) => (space === '\u00a0' ? space : ' '))
    .replace(/[&<>"'\u00a0]|\{(?=[{%]|$)/g, (character) => ownEntry(ENTITIES, character) ?? '');

export const escapeFor = (place: Place, text: string): string => (place === 'text' ? inText(text) : inAttribute(text));

/** These need no escaping in html, in a Liquid string, or between the quotes of an attribute. */
const PLAIN = /^[^&<>"'{}\\\u0000-\u001f\u007f-\u00a0\ufffe\uffff]*$/;

/**
 * A variable as Liquid. A fallback that a Liquid string cannot hold in this place stands behind `else`, where it is
 * html like any other.
 */
export function variableFor(place: Place, { path, fallback }: VariableRef, { encoded = false } = {}): string {
  const filter = encoded ? ' | url_encode' : '';
  const said = cleanText(fallback).replace(/\s/g, ' ');
  if (said === '') return `{{ ${path}${filter} }}`;
  const quote = place === 'text' ? '"' : "'";
  if (PLAIN.test(said) && said.isWellFormed()) return `{{ ${path} | default: ${quote}${said}${quote}${filter} }}`;
  const otherwise = escapeFor(place, encoded ? encodeURIComponent(said) : said)
    .replaceAll('}', '&#125;')
    .replaceAll('{', '&#123;');
  return `{% if ${path} != blank %}{{ ${path}${filter} }}{% else %}${otherwise}{% endif %}`;
}

/** A text with variables as the value of an attribute, between double quotes, or as text. */
export const templateFor = (place: Place, text: string): string =>
  piecesOf(text)
    .map((piece) => (typeof piece === 'string' ? escapeFor(place, piece) : variableFor(place, piece)))
    .join('');
