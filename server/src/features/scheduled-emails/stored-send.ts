import type { Attachment } from '#mail/attachments/attachment-rules.ts';
import { type FilledSend, type ReadSend, readSend, SendBody, type SendInput } from '#features/emails';
import { Faults } from '#platform/errors/faults.ts';
import type { KeptBody } from './scheduled-email.ts';

/** A request that is kept for later. */
export interface StoredSend {
  body: KeptBody;
  html: string | null;
  text: string | null;
}

/**
 * Turns a stored request into the send that it asks for, by the same rules as a request that comes now. It is the one
 * place where a stored request becomes a send, when it is changed and when its time has come. Throws what is wrong
 * with it now, such as a deadline that has passed.
 */
export const sendOfStored = (stored: StoredSend, files: readonly Attachment[], now: Date): ReadSend => ({
  ...readSend(inputOf(stored), new Faults(), now),
  attachments: [...files],
});

/**
 * The request with the version of its template that was read: a later change of the template does not reach it, nor
 * does a template that takes its alias.
 */
export const pinnedInput = (input: Partial<SendInput>, template: FilledSend['template']): Partial<SendInput> =>
  template === null ? input : { ...input, templateId: template.id, templateVersion: template.version };

export const inputOf = ({ body, html, text }: StoredSend): SendInput => ({ ...body, html, text });

const APART: readonly string[] = ['html', 'text', 'attachments', 'scheduledFor', 'timezone', 'maxDelaySeconds'];
const KEPT = Object.keys(SendBody.properties).filter((name) => !APART.includes(name));

/** Returns the parts of a request that are stored. Fields that nobody knows are not. */
export function storedOf(input: Partial<SendInput>): StoredSend {
  const kept = Object.entries(input).filter(([name, value]) => KEPT.includes(name) && value !== undefined);
  // The reader has found sender and recipients in it.
  return { body: Object.fromEntries(kept) as KeptBody, html: input.html ?? null, text: input.text ?? null };
}

const lengthOf = (given: unknown): number => (Array.isArray(given) ? given.length : given == null ? 0 : 1);

/** The messages that a stored request is: one for each recipient, or one for a group. */
export function sizeOf({ body }: Pick<StoredSend, 'body'>): number {
  const isGrouped = body.groupRecipients === true || lengthOf(body.cc) > 0 || lengthOf(body.bcc) > 0;
  return isGrouped ? 1 : lengthOf(body.to);
}

const SEARCHED_CHARS = 10_000;

/** The text that a search looks through. */
export function searchedText(read: Pick<FilledSend, 'subject' | 'from' | 'to' | 'grouped'>): string {
  const people = [read.from, ...read.to, ...(read.grouped?.cc ?? []), ...(read.grouped?.bcc ?? [])];
  const words = [read.subject, ...people.map(({ name, address }) => (name === null ? address : `${name} ${address}`))];
  return words.join('\n').toLowerCase().slice(0, SEARCHED_CHARS).toWellFormed();
}
