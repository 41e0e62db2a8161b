import type { Static } from 'typebox';
import { AddressError, parseMailbox } from '#mail/addresses/addresses.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { shownMailbox } from '#mail/addresses/stored-mailbox.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { eachItem, readEach } from '#platform/http/fields/read-meaning.ts';
import { isUuid } from '#platform/ids.ts';
import { CreateTemplateBody, DuplicateBody, SendTestBody, UpdateTemplateBody } from './schemas.ts';
import type { TemplateContent } from './stored-template.ts';

export type TemplateInput = Static<typeof UpdateTemplateBody>;

const UNREACHABLE = new Set(['__proto__', 'constructor', 'prototype']);
const VARIABLES_BYTES_MAX = 64 * 1024;

function readMailbox(text: string, param: string): string {
  try {
    return shownMailbox(parseMailbox(text));
  } catch (error) {
    if (error instanceof AddressError) throw invalid(param, `${param} must be an email address. ${error.reason}`);
    throw error;
  }
}

const readAlias = (alias: string): void => {
  if (isUuid(alias)) throw invalid('alias', 'alias must not look like the id of a template');
};

function readVariable({ key }: { key: string }, index: number): void {
  if (key.split('.').some((name) => UNREACHABLE.has(name))) {
    throw invalid(`variables[${index}].key`, `variables[${index}].key: no template can read this name`);
  }
}

const withinBytes = (param: string) => (values: unknown) => {
  if (Buffer.byteLength(JSON.stringify(values), 'utf8') > VARIABLES_BYTES_MAX) {
    throw invalid(param, `${param} must be at most 64 KB as JSON`);
  }
};

const readers = {
  alias: readAlias,
  from: (from: string) => readMailbox(from, 'from'),
  reply_to: eachItem((one: string, index) => readMailbox(one, `reply_to[${index}]`)),
  variables: eachItem(readVariable),
  samples: withinBytes('samples'),
};

const requireBody = ({ html, text }: TemplateInput): void => {
  if (isNone(html) && isNone(text)) throw invalid('html', 'html or text is required');
};
const isNone = (body: string | null | undefined): boolean => body === undefined || body === null || body === '';

export const readNewTemplate = readEach<typeof CreateTemplateBody>(readers, [
  { of: ['html', 'text'], check: requireBody },
]);
export const readTemplateChange = readEach<typeof UpdateTemplateBody>(readers);
export const readDuplicate = readEach<typeof DuplicateBody>({ alias: readAlias });
export const readTest = readEach<typeof SendTestBody>({ to: (to) => readAddress(to, 'to') });

const EMPTY: TemplateContent = {
  subject: null,
  preheader: null,
  html: null,
  text: null,
  from: null,
  replyTo: [],
  layout: null,
  declared: [],
  samples: [],
};

/** The content of the next version: what is given, and the rest of the version before. An empty text is none. */
export function nextContent(input: TemplateInput, before: TemplateContent = EMPTY): TemplateContent {
  const text = (given: string | null | undefined, old: string | null): string | null =>
    given === undefined ? old : given === '' ? null : given;
  const next: TemplateContent = {
    subject: text(input.subject, before.subject),
    preheader: text(input.preheader, before.preheader),
    html: text(input.html, before.html),
    text: text(input.text, before.text),
    from:
      input.from === undefined || input.from === null || input.from === ''
        ? text(input.from, before.from)
        : readMailbox(input.from, 'from'),
    replyTo: input.reply_to?.map((one, index) => readMailbox(one, `reply_to[${index}]`)) ?? before.replyTo,
    layout: text(input.layout, before.layout),
    declared:
      input.variables?.map(({ key, type, required, fallback }) => ({
        key,
        type: type ?? 'string',
        required,
        fallback: fallback ?? null,
      })) ?? before.declared,
    samples: input.samples?.map(({ name, variables }) => ({ name, variables })) ?? before.samples,
  };
  requireBody(next);
  return next;
}
