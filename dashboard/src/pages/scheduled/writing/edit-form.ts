import type { ChangeScheduledEmailRequest, ScheduledEmail } from '../../../api/generated/types.gen.ts';

/** The fields of the content as a form has them. Lists of addresses have commas between them. */
export interface ContentValues extends Record<string, unknown> {
  from: string;
  to: string;
  cc: string;
  bcc: string;
  replyTo: string;
  subject: string;
  preheader: string;
  html: string;
  text: string;
  /** An object in JSON. */
  variables: string;
}

export const valuesOf = (email: ScheduledEmail): ContentValues => ({
  from: email.from ?? '',
  to: email.to.join(', '),
  cc: email.cc.join(', '),
  bcc: email.bcc.join(', '),
  replyTo: email.reply_to.join(', '),
  subject: email.subject ?? '',
  preheader: email.preheader ?? '',
  html: email.html ?? '',
  text: email.text ?? '',
  variables: JSON.stringify(email.variables, null, 2),
});

/** Addresses between commas; a comma in a quoted name is part of it. */
export const readAddresses = (text: string): string[] =>
  (text.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? []).map((address) => address.trim()).filter((one) => one !== '');

/** Undefined: it is no object in JSON. */
export function readVariables(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
    return read as Record<string, unknown>; // an object of JSON has names of any kind
  } catch {
    return undefined;
  }
}

const LISTS = ['to', 'cc', 'bcc', 'replyTo'] as const;
const TEXTS = ['from', 'subject', 'preheader', 'html', 'text'] as const;

/** Only what differs from the email; an emptied field is null. */
export function changeOf(values: ContentValues, email: ScheduledEmail): ChangeScheduledEmailRequest {
  const before = valuesOf(email);
  const change: Record<string, unknown> = {};
  for (const name of LISTS) {
    const [next, old] = [readAddresses(values[name]), readAddresses(before[name])];
    if (JSON.stringify(next) !== JSON.stringify(old)) change[name] = next;
  }
  for (const name of TEXTS) {
    if (values[name] !== before[name]) change[name] = values[name] === '' ? null : values[name];
  }
  const variables = readVariables(values.variables);
  if (variables !== undefined && JSON.stringify(variables) !== JSON.stringify(email.variables)) {
    change['variables'] = variables;
  }
  return change as ChangeScheduledEmailRequest; // each name is one of its fields
}

const LABELS: Readonly<Record<keyof ContentValues, string>> = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  replyTo: 'Reply-To',
  subject: 'Subject',
  preheader: 'Preheader',
  html: 'HTML',
  text: 'Text',
  variables: 'Variables',
};

/** The fields in which what was written differs from a newer version of the server: theirs, and mine. */
export function differencesOf(
  mine: ContentValues,
  theirs: ScheduledEmail,
): Record<string, { before: string; after: string }> {
  const other = valuesOf(theirs);
  const names = Object.keys(LABELS) as (keyof ContentValues & string)[]; // Object.keys forgets the type of the names
  return Object.fromEntries(
    names
      .filter((name) => mine[name] !== other[name])
      .map((name) => [LABELS[name], { before: String(other[name]), after: String(mine[name]) }]),
  );
}
