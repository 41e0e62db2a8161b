import { requireUrl, type SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { findSenderDomain, howToVerify } from '#features/domains';
import { isImageAddress } from '#features/images';
import { requireKeyForDomain } from '#features/workspaces';
import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { eachItem, readEach } from '#platform/http/fields/read-meaning.ts';
import { readZone } from '#platform/time/zones.ts';
import type { Static } from 'typebox';
import type { Settable } from '../newsletter.ts';
import { isReservedSlug } from '../newsletter-rules.ts';
import type { CreateNewsletterBody, UpdateNewsletterBody } from '../schemas.ts';
import { nameProblem } from './sender-of-newsletter.ts';

/** The fields that a caller may set; its shape has been checked. null clears a field, or brings its default back. */
export type NewsletterInput = Static<typeof UpdateNewsletterBody>;

/** The defaults of a newsletter. */
export const DEFAULTS: Omit<Settable, 'name' | 'slug'> = {
  description: null,
  fromEmail: null,
  fromName: null,
  replyTo: null,
  doubleOptIn: true,
  accentColor: null,
  logoUrl: null,
  postalAddress: null,
  timezone: 'UTC',
  language: 'en',
  trackOpens: true,
  trackClicks: true,
  archiveEnabled: true,
  archiveIndexable: true,
  askName: true,
  unsubscribeConfirmPage: false,
  signupEnabled: true,
  redirectOrigins: [],
  pendingPurgeDays: null,
};

/** Reads the fields that are given, and no others. May ask a name server, so it comes before any transaction. */
export async function readNewsletterInput(
  ctx: Ctx,
  input: NewsletterInput,
  ports: { safeFetch: SafeFetch },
): Promise<Partial<Settable>> {
  const read = readSettings(input);
  if (read.logoUrl != null) read.logoUrl = await readLogoUrl(ctx, read.logoUrl, ports.safeFetch);
  if (read.fromEmail != null) await requireDomainOf(ctx, read.fromEmail);
  return read;
}

/** The fields that are given, as they would be stored. Asks nobody: neither a name server nor the database. */
export function readSettings(input: NewsletterInput): Partial<Settable> {
  if (input.slug !== undefined) refuseReservedSlug(input.slug);
  if (input.logo_url != null) requireLogoUrl(input.logo_url);
  const read: { [K in keyof Settable]: Settable[K] | undefined } = {
    name: input.name?.trim(),
    slug: input.slug,
    description: textOf(input.description),
    fromEmail: input.from_email == null ? input.from_email : readAddress('from_email', input.from_email),
    fromName: input.from_name == null ? input.from_name : input.from_name.trim(),
    replyTo: input.reply_to == null ? input.reply_to : readReplyTo(input.reply_to),
    doubleOptIn: input.double_opt_in,
    accentColor: input.accent_color,
    logoUrl: input.logo_url,
    postalAddress: textOf(input.postal_address),
    timezone: input.timezone === null ? DEFAULTS.timezone : readTimezone(input.timezone),
    language: input.language === null ? DEFAULTS.language : input.language,
    trackOpens: input.track_opens,
    trackClicks: input.track_clicks,
    archiveEnabled: input.archive_enabled,
    archiveIndexable: input.archive_indexable,
    askName: input.ask_name,
    unsubscribeConfirmPage: input.unsubscribe_confirm_page,
    signupEnabled: input.signup_enabled,
    redirectOrigins: input.redirect_origins === undefined ? undefined : readOrigins(input.redirect_origins),
    pendingPurgeDays: input.pending_purge_days,
  };
  // Only what has no value was taken away.
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as Partial<Settable>;
}

function refuseReservedSlug(slug: string): void {
  if (isReservedSlug(slug)) throw unacceptable('slug', `The slug ${slug} is reserved. Choose another one.`);
}

/** A name beside an address that it does not belong to is how readers are deceived; either may be what was given. */
export function refuseForeignName({ fromEmail, fromName }: Pick<Settable, 'fromEmail' | 'fromName'>): void {
  if (fromName === null) return;
  const problem = nameProblem(fromName, fromEmail ?? 'newsletter@invalid.invalid');
  if (problem !== null) throw unacceptable('from_name', `from_name cannot be used. ${problem}`);
}

const textOf = (text: string | null | undefined): string | null | undefined => (text?.trim() === '' ? null : text);

const readTimezone = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : readZone('timezone', text);

function readMailbox(param: string, text: string): Mailbox {
  try {
    return parseMailbox(text);
  } catch (error) {
    if (error instanceof AddressError) throw invalid(param, `${param} must be one mailbox. ${error.reason}`);
    throw error;
  }
}

function readAddress(param: string, text: string): string {
  const { name, address } = readMailbox(param, text);
  if (name !== null) throw invalid(param, `${param} is an address alone; the name beside it goes into from_name.`);
  return address;
}

/** As typed, so that it reads the same again. */
function readReplyTo(text: string): string {
  const { name, address } = readMailbox('reply_to', text);
  return name === null ? address : text.trim();
}

/** Unknown, unverified and somebody else's domains are refused in the same words. */
async function requireDomainOf(ctx: Ctx, address: string): Promise<void> {
  const name = address.slice(address.lastIndexOf('@') + 1);
  const domain = await findSenderDomain(ctx, name);
  if (domain === undefined) {
    throw unacceptable(
      'from_email',
      `The domain ${name} is not verified for sending in this workspace. Use an address at a ` +
        `verified domain. ${await howToVerify(ctx, name)}`,
    );
  }
  requireKeyForDomain(ctx.actor, { domainId: domain.domainId, domain: name }, 'from_email');
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const WHOLE_LOGO_URL = 'logo_url must be a whole URL, as in https://cdn.example.com/logo.png.';

/** Nobody fetches it here: browsers and mail programs do. It must lead to us, or nowhere that a webhook may not. */
async function readLogoUrl({ settings }: Pick<Ctx, 'settings'>, text: string, safeFetch: SafeFetch): Promise<string> {
  if (isImageAddress(settings, text)) return text;
  return safeFetch.checkUrl(text, 'logo_url');
}

function requireLogoUrl(text: string): void {
  if (!URL.canParse(text)) throw invalid('logo_url', WHOLE_LOGO_URL);
  if (!['https:', 'http:'].includes(new URL(text).protocol)) throw unacceptable('logo_url', WHOLE_LOGO_URL);
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && !LOCAL_HOSTS.includes(hostname)) {
    throw unacceptable('logo_url', 'logo_url must be https: other images are not shown in mail and on pages.');
  }
  requireUrl(text, 'logo_url');
}

const readOrigins = (texts: readonly string[]): string[] => [...new Set(texts.map(readOrigin))];

function readOrigin(text: string, index: number): string {
  const param = `redirect_origins[${index}]`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && [url.origin, `${url.origin}/`].includes(text.toLowerCase());
  if (url === undefined || !isOrigin || !['https:', 'http:'].includes(url.protocol)) {
    throw invalid(param, `${param} must be an origin, as in https://www.example.com: no path, no user name.`);
  }
  // Origins are compared whole: one with a wildcard would look like a permission and match nothing.
  if (url.hostname.includes('*')) {
    throw invalid(param, `${param} must name one host: an origin has no wildcards. List each origin.`);
  }
  if (url.protocol === 'http:' && !LOCAL_HOSTS.includes(url.hostname)) {
    throw unacceptable(param, `${param} must be https.`);
  }
  return url.origin;
}

const readers = {
  slug: refuseReservedSlug,
  from_email: (text: string) => readAddress('from_email', text),
  reply_to: readReplyTo,
  logo_url: requireLogoUrl,
  timezone: (text: string) => readZone('timezone', text),
  redirect_origins: eachItem(readOrigin),
};

interface GivenSender {
  from_email?: string | null;
  from_name?: string | null;
}

const foreignName = {
  of: ['from_email', 'from_name'] as const,
  check: ({ from_email, from_name }: GivenSender) =>
    refuseForeignName({ fromEmail: from_email ?? null, fromName: from_name?.trim() ?? null }),
};

export const readNewNewsletterFields = readEach<typeof CreateNewsletterBody>(readers, [foreignName]);

/** A name is also judged beside the address that is stored, by the verb. */
export const readNewsletterFields = readEach<typeof UpdateNewsletterBody>(readers);
