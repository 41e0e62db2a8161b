/** The machine-readable part of a delivery status notification: `message/delivery-status` (RFC 3464). */

export const DSN_ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;
export type DsnAction = (typeof DSN_ACTIONS)[number];

export interface DeliveryReport {
  /** As in `dns; mail.example.com`. */
  reportingMta: string | null;
  recipients: ReportedRecipient[];
}

export interface ReportedRecipient {
  /** Bare addresses, as the reporting server wrote them; the original one is what we had sent to, if it kept it. */
  finalRecipient: string;
  originalRecipient: string | null;
  action: DsnAction;
  /** Trimmed and without comments; not yet looked at whether it can be one. */
  status: string | null;
  /** With its type, as in `smtp; 550 5.1.1 user unknown`. */
  diagnosticCode: string | null;
  remoteMta: string | null;
}

/** Recipients that are read of one report; the rest is passed over. */
const DSN_RECIPIENTS_MAX = 1_000;
// Of a field that is kept; servers quote whole conversations in a diagnostic.
const FIELD_CHARS_MAX = 1_000;

/**
 * Reads the fields. Groups without a recipient or without an action of RFC 3464 are passed over: a report that does
 * not say who and what says nothing. Never throws; time is linear in the text.
 */
export function parseDeliveryStatus(text: string): DeliveryReport {
  let reportingMta: string | null = null;
  const recipients: ReportedRecipient[] = [];
  for (const fields of fieldGroups(text)) {
    reportingMta ??= fields.get('reporting-mta') ?? null;
    const recipient = recipientOf(fields);
    if (recipient !== null) recipients.push(recipient);
    if (recipients.length === DSN_RECIPIENTS_MAX) break;
  }
  return { reportingMta, recipients };
}

function recipientOf(fields: ReadonlyMap<string, string>): ReportedRecipient | null {
  const originalRecipient = addressIn(fields.get('original-recipient'));
  // RFC 3464 §2.3.2 asks for Final-Recipient; some mailers know the original one only.
  const finalRecipient = addressIn(fields.get('final-recipient')) ?? originalRecipient;
  const action = withoutComments(fields.get('action') ?? '').toLowerCase();
  const known = DSN_ACTIONS.find((one) => one === action);
  if (finalRecipient === null || known === undefined) return null;
  return {
    finalRecipient,
    originalRecipient,
    action: known,
    status: withoutComments(fields.get('status') ?? '') || null,
    diagnosticCode: fields.get('diagnostic-code') ?? null,
    remoteMta: fields.get('remote-mta') ?? null,
  };
}

/** The first of each field, by its name in lower case; lines that are no fields are passed over. */
export function* fieldGroups(text: string): Generator<Map<string, string>> {
  let fields = new Map<string, string>();
  let name = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') {
      if (fields.size > 0) yield fields;
      fields = new Map();
      name = '';
    } else if (/^[ \t]/.test(line)) {
      const begun = fields.get(name);
      // Folded (RFC 5322 §2.2.3). Not longer than what is kept: a field of a million lines costs no more than one.
      if (begun !== undefined && begun.length < FIELD_CHARS_MAX) fields.set(name, clean(`${begun} ${line.trim()}`));
    } else {
      const colon = line.indexOf(':');
      name = colon < 1 || colon > 60 ? '' : line.slice(0, colon).trim().toLowerCase();
      if (name !== '' && !fields.has(name)) fields.set(name, clean(line.slice(colon + 1).trim()));
      else name = '';
    }
  }
  if (fields.size > 0) yield fields;
}

/** The values that may be stored and shown: no control characters, no half characters, not too long. */
export const clean = (text: string): string =>
  text
    .slice(0, FIELD_CHARS_MAX)
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
    .toWellFormed()
    .trim();

/** `rfc822; ada@example.com`, in angle brackets or not; also without a type, as some write it. */
function addressIn(field: string | undefined): string | null {
  if (field === undefined) return null;
  const semicolon = field.indexOf(';');
  const address = field
    .slice(semicolon + 1)
    .trim()
    .replace(/^<|>$/g, '');
  return address === '' ? null : address;
}

const withoutComments = (text: string): string => text.replace(/\([^()]*\)/g, '').trim();
