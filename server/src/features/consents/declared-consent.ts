import { isIP } from 'node:net';
import { type Static, type TSchema, Type } from 'typebox';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Faults } from '#platform/errors/faults.ts';
import { nullable } from '#platform/records/wire-types.ts';
import { LINE } from '#platform/records/text-patterns.ts';
import { type Evidence, noEvidence } from './evidence.ts';

/** By how much the clock of a caller may be ahead of ours. */
const CLOCK_MINUTES_MAX = 5;

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));
const line = (maxLength: number, description: string, example: string) =>
  optional(Type.String({ maxLength, ...LINE, description, examples: [example] }));

/** A consent that a caller with a key describes. */
export const DeclaredConsent = Type.Object(
  {
    ip: line(64, 'Where the person was.', '203.0.113.7'),
    user_agent: line(1_000, 'Their browser.', 'Mozilla/5.0'),
    url: line(2_000, 'The page with your form.', 'https://acme.example/blog'),
    form_version: line(200, 'The version of the text that the person agreed to.', 'footer-2026-11'),
    at: optional(
      Type.String({
        format: 'date-time',
        description: 'When they agreed: `signup_at` of the record. Now, when left out.',
        examples: ['2026-11-20T10:00:00.000Z'],
      }),
    ),
    text: line(2_000, 'How they agreed, in words.', 'Ticked the box at the checkout.'),
  },
  { description: 'Evidence that the person agreed. Stored as proof. Required with `skip_confirmation`.' },
);
export type DeclaredConsent = Static<typeof DeclaredConsent>;

/**
 * The evidence that a caller describes, and when the person agreed if it is said. The request itself shows nothing: it
 * comes from the caller's server. Throws 400 for an address of a network that is none (param `consent.ip`), and 422 for
 * a time in the future (param `consent.at`).
 */
export function readDeclared(
  consent: DeclaredConsent | undefined,
  now: Date,
): { evidence: Evidence; agreedAt: Date | undefined } {
  const agreedAt = readTime(consent?.at, now);
  const evidence = {
    ...noEvidence,
    ip: readIp(consent?.ip),
    userAgent: consent?.user_agent ?? null,
    url: consent?.url ?? null,
    formVersion: consent?.form_version ?? null,
  };
  return { evidence, agreedAt };
}

/** Collects every fault of a consent, for an answer that names them beside those of other fields. */
export async function judgeDeclared(consent: DeclaredConsent, now: Date, faults: Faults): Promise<void> {
  await faults.collect(() => readIp(consent.ip));
  await faults.collect(() => readTime(consent.at, now));
}

function readIp(text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  if (isIP(text) === 0) throw invalid('consent.ip', 'consent.ip must be an IPv4 or IPv6 address');
  return text;
}

function readTime(text: string | null | undefined, now: Date): Date | undefined {
  if (text == null) return undefined;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw invalid('consent.at', 'consent.at must be a time that exists');
  if (at.getTime() > now.getTime() + CLOCK_MINUTES_MAX * 60_000) {
    throw unacceptable('consent.at', 'consent.at is in the future. Give the time at which the person agreed.');
  }
  return at;
}
