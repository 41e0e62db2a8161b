import { setImmediate } from 'node:timers/promises';
import { type TemplateForSend, templateForSend, type TemplateLoader } from '#features/templates';
import { type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { htmlToText } from '#mail/message/html-to-text.ts';
import { AppError, invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Clock } from '#platform/clock.ts';
import type { Ctx } from '#platform/http/context.ts';
import { insertPreheader } from './preheader.ts';
import { type Liquid, type ReadSend, requireHeadersFit } from './read-send.ts';
import { LIMITS } from './schemas.ts';

/** The texts of one recipient or of all. */
interface Texts {
  subject: string;
  html: string | null;
  text: string | null;
  htmlWithoutPreheader: string | null;
}

/** A send whose texts are as they will be sent. */
export interface FilledSend extends Omit<ReadSend, 'from' | 'liquid'> {
  from: Mailbox;
  template: TemplateForSend['template'];
  /** Texts of single recipients, by their positions in `to`. All others get those of the send. */
  variants: readonly (Texts & { of: readonly number[] })[];
}

/** Other requests are served after so much work. */
const SLICE_MS = 5;
/** For all recipients of a send together. */
const CPU_MS = 5_000;
/** Of all texts and files that single recipients have for themselves: as much as a request may bring. */
const OWN_BYTES = LIMITS.requestBytes;
// As `read-send.ts` has it for subjects that are sent as they are.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Renders the texts of a send for its recipients, in slices, so that others are served meanwhile. Without Liquid they
 * stay as they are, byte for byte. 422 names a missing variable or the text that cannot be rendered. A page of sends
 * gives a `loadTemplate` that reads each template once.
 */
export async function fillSend(
  ctx: Ctx,
  read: ReadSend,
  loadTemplate: TemplateLoader = templateForSend,
): Promise<FilledSend> {
  const { liquid, ...send } = read;
  if (liquid === null) return { ...send, from: requireFrom(read.from), template: null, variants: [] };
  const source = await loadTemplate(ctx, {
    name: liquid.templateId,
    version: liquid.templateVersion,
    given: { ...send, subject: send.subject === '' ? null : send.subject, preheader: liquid.preheader },
  });
  const from = requireFrom(read.from ?? (source.from === null ? null : parseMailbox(source.from)));
  const replyTo = send.replyTo.length > 0 ? send.replyTo : source.replyTo.map((one) => parseMailbox(one));
  const [texts, ...variants] = await renderEach(new SliceClock(ctx.clock), read, liquid, source);
  if (texts === undefined) throw new Error('a send has no recipients');
  const { of: _first, ...own } = texts;
  requireHeadersFit({ ...send, from, replyTo, subject: longestSubject([texts, ...variants]) });
  return { ...send, from, replyTo, ...own, template: source.template, variants };
}

/** Headers are looked at once, with the subject that takes most room. */
const longestSubject = (all: readonly Texts[]): string =>
  all.reduce(
    (longest, { subject }) => (Buffer.byteLength(subject) > Buffer.byteLength(longest) ? subject : longest),
    '',
  );

function requireFrom(from: Mailbox | null): Mailbox {
  if (from === null) throw invalid('from', 'from is required: the template has none');
  return from;
}

type Rendered = Texts & { of: number[] };

/** The first is that of the send: of the first recipient, and of all who have no values of their own. */
async function renderEach(
  clock: SliceClock,
  { to, attachments }: ReadSend,
  liquid: Liquid,
  source: TemplateForSend,
): Promise<Rendered[]> {
  const { variables, ofRecipients } = liquid;
  const shared = to.flatMap(({ identity }, place) => (ofRecipients.has(identity) ? [] : [place]));
  const rendered: Rendered[] = [];
  const add = (values: Readonly<Record<string, unknown>>, of: number[], address: string | null): void => {
    rendered.push({ ...textsOf(source, liquid, values, address), of });
  };
  if (shared.length > 0) add(variables, shared, null);
  const files = attachments.reduce((sum, file) => sum + file.body.length, 0);
  let bytes = 0;
  for (const [place, { identity }] of to.entries()) {
    const own = ofRecipients.get(identity);
    if (own === undefined) continue;
    await clock.breathe();
    add({ ...variables, ...own }, [place], identity);
    const { html = '', text = '' } = rendered.at(-1) ?? {};
    bytes += files + Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '');
    if (bytes > OWN_BYTES) {
      throw unacceptable(
        'recipientVariables',
        'The texts and files of all recipients are more than 40 MB together: split the send.',
      );
    }
  }
  return rendered;
}

/** Lets others work between two slices, and ends what takes too long. */
class SliceClock {
  readonly #clock: Clock;
  #startedAt: number;
  #started = process.threadCpuUsage();
  #spentMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.monotonicMs();
  }

  async breathe(): Promise<void> {
    if (this.#clock.monotonicMs() - this.#startedAt < SLICE_MS) return;
    const { user, system } = process.threadCpuUsage(this.#started);
    this.#spentMs += (user + system) / 1_000;
    if (this.#spentMs > CPU_MS) {
      throw unacceptable(
        'recipientVariables',
        `Rendering for all recipients takes longer than ${CPU_MS / 1_000} s: split the send.`,
      );
    }
    await setImmediate();
    this.#startedAt = this.#clock.monotonicMs();
    this.#started = process.threadCpuUsage();
  }
}

function textsOf(
  source: TemplateForSend,
  { strict }: Liquid,
  values: Readonly<Record<string, unknown>>,
  address: string | null,
): Texts {
  try {
    const { subject, preheader, html, text } = source.render(values, { strict });
    requireSubject(subject);
    const hasPreheader = html !== null && preheader !== null && preheader.trim() !== '';
    return {
      subject: subject ?? '',
      html: hasPreheader ? insertPreheader(html, preheader) : html,
      // Made from the html when the message is composed; a preheader is no part of it.
      text: text ?? (hasPreheader ? htmlToText(html) : null),
      htmlWithoutPreheader: html,
    };
  } catch (error) {
    throw address === null ? error : ofAddress(error, address);
  }
}

function requireSubject(subject: string | null): void {
  if (subject === null) throw invalid('subject', 'subject is required: the template has none');
  if (subject.trim() === '') throw unacceptable('subject', 'subject: It is empty with these variables.');
  if (subject.length > LIMITS.subjectChars) {
    throw unacceptable('subject', `subject: It is longer than ${LIMITS.subjectChars} characters with these variables.`);
  }
  if (CONTROL.test(subject)) {
    throw unacceptable('subject', 'subject: It has control characters with these variables.');
  }
}

/** The same error, which says whose values are at fault. */
function ofAddress(error: unknown, address: string): unknown {
  if (!(error instanceof AppError)) return error;
  return new AppError(error.name, `${error.message} This is about ${address}.`, error.extras);
}
