import { domainCapProblem } from '#features/domains';
import { hasLiquid, parseTemplate, type TemplateKind } from '#features/templates';
import { fillTrackedHtml, prepareTrackedHtml } from '#mail/tracking/tracked-html.ts';
import type { Settings } from '#platform/config/settings.ts';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { senderOf } from '../../settings/sender-of-newsletter.ts';
import { type Audience, countAudience } from './audience-queries.ts';
import { composeTexts, type IssueContent, noSender, renderFor } from './compose-issue.ts';
import { checkContent, type Finding } from '#mail/list-mail/content-checks.ts';
import { KNOWN_PATHS } from './issue-variables.ts';
import { deadLinks, sampleSubscriber } from './sample-subscriber.ts';

export interface CheckedIssue {
  ok: boolean;
  checks: Finding[];
  audience: Audience;
}

/** Of a reader's own links, about. */
const LINK_TOKEN_CHARS = 300;

type Checking = Pick<Ctx, 'db' | 'workspaceId' | 'settings' | 'clock'>;

/**
 * Looks at everything that could be wrong with an issue before it is sent, and counts who would get it. An `error` is
 * what sending would be refused for; a `warning` is for its sender to judge, and stops nothing.
 */
export async function checkIssue(ctx: Checking, newsletter: Newsletter, issue: IssueContent): Promise<CheckedIssue> {
  const audience = await countAudience(ctx.db, ctx.workspaceId, newsletter.id);
  const checks = [
    ...(await checkSender(ctx, newsletter, audience)),
    ...(await checkTexts(ctx, newsletter, issue)),
    ...(await checkVariables(issue)),
    checkPostalAddress(newsletter),
    checkPublicUrl(ctx.settings),
    checkAudience(audience),
  ];
  return { ok: checks.every(({ level }) => level !== 'error'), checks, audience };
}

async function checkSender(ctx: Checking, newsletter: Newsletter, { willSend }: Audience): Promise<Finding[]> {
  const sender = await senderOf(ctx, newsletter);
  if (sender === null) return [{ id: 'sender', level: 'error', message: noSender(newsletter).message }];
  const findings: Finding[] = [
    sender.workspacePaused
      ? { id: 'sender', level: 'error', message: 'Sending is paused for this workspace.' }
      : { id: 'sender', level: 'ok', message: `It comes from ${sender.from.address}.` },
  ];
  const capped = await domainCapProblem(ctx.db, ctx.workspaceId, sender.domain, willSend, ctx.clock.now());
  if (capped !== undefined) findings.push({ id: 'domain_limit', level: 'warning', message: capped });
  return findings;
}

/** Composed as it would be sent; what that refuses is the error, and there is nothing to look at then. */
async function checkTexts(ctx: Checking, newsletter: Newsletter, issue: IssueContent): Promise<Finding[]> {
  try {
    const composed = await composeTexts(ctx, newsletter, issue, 'preview.invalid');
    const links = deadLinks(ctx.settings.dashboardUrl, 'x'.repeat(LINK_TOKEN_CHARS));
    const rendered = await renderFor(ctx.settings, newsletter, issue, composed, sampleSubscriber, links);
    return [
      { id: 'body', level: 'ok', message: 'It can be made for people with and without a name.' },
      { id: 'unsubscribe', level: 'ok', message: 'The link to unsubscribe is seen in the HTML and in the text.' },
      ...checkContent(rendered, { written: issue.htmlBody, bytes: bytesSent(ctx.settings, newsletter, rendered.html) }),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ id: error.extras.param ?? 'body', level: 'error', message: error.message }];
  }
}

/** Tracking makes links longer, and an issue of many links by a third. */
function bytesSent({ publicUrl, dashboardUrl }: Settings, newsletter: Newsletter, html: string): number {
  const rules = { opens: newsletter.trackOpens, clicks: newsletter.trackClicks };
  const tracked = prepareTrackedHtml(html, { ...rules, baseUrl: publicUrl, ownUrls: [dashboardUrl] });
  const nobody = { workspaceId: newsletter.workspaceId, emailId: newsletter.id };
  return Buffer.byteLength(fillTrackedHtml(tracked, nobody, { baseUrl: publicUrl, key: Buffer.alloc(32) }));
}

/** Names that no subscriber will ever have a value for: most of them are mistyped. */
async function checkVariables(issue: IssueContent): Promise<Finding[]> {
  const unknown = new Set<string>();
  const fields: [source: string | null, kind: TemplateKind][] = [
    [issue.subject, 'subject'],
    [issue.preheader, 'subject'],
    [issue.htmlBody, 'html'],
    [issue.textBody, 'text'],
  ];
  for (const [source, kind] of fields) {
    if (source === null || !hasLiquid(source)) continue;
    const template = await parseTemplate(source, kind).catch(() => null); // said above
    for (const path of template?.paths ?? []) if (!isKnown(path)) unknown.add(path.join('.'));
  }
  if (unknown.size === 0) return [{ id: 'variables', level: 'ok', message: 'Every variable is known.' }];
  const names = [...unknown].slice(0, 10).join(', ');
  return [{ id: 'variables', level: 'warning', message: `Nobody has a value for ${names}.` }];
}

const isKnown = (path: readonly string[]): boolean =>
  KNOWN_PATHS.some((known) => {
    const parts = known.split('.');
    // `subscriber` alone is known, and so is anything below subscriber.metadata.
    return parts.every((part, index) => index >= path.length || path[index] === part);
  });

/**
 * A law of some countries, and a sender knows whether it is one of theirs: it must not stop a first issue to friends.
 */
const checkPostalAddress = ({ postalAddress }: Newsletter): Finding =>
  postalAddress === null || postalAddress.trim() === ''
    ? {
        id: 'postal_address',
        level: 'warning',
        message:
          'The newsletter has no postal_address. The law asks for one in commercial email (CAN-SPAM in the USA).',
      }
    : { id: 'postal_address', level: 'ok', message: 'The footer shows a postal address.' };

/** Links that lead to the reader's own machine are worse than none; where nothing leaves this one, they do no harm. */
function checkPublicUrl({ publicUrl, dashboardUrl, providerUrl }: Settings): Finding {
  const id = 'public_url';
  for (const [name, url] of [
    ['POSTHORN_PUBLIC_URL', publicUrl],
    ['POSTHORN_DASHBOARD_URL', dashboardUrl],
  ] as const) {
    const { hostname, protocol } = new URL(url);
    if (/^(?:localhost|.*\.localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(hostname)) {
      const level = providerUrl.startsWith('capture:') ? 'warning' : 'error';
      return { id, level, message: `Links lead to ${url}, which nobody else can open. Set ${name}.` };
    }
    if (protocol !== 'https:') {
      return { id, level: 'warning', message: `Links lead to ${url}. One-click unsubscribe needs https: set ${name}.` };
    }
  }
  return { id, level: 'ok', message: `Links lead to ${dashboardUrl}.` };
}

function checkAudience({ willSend, suppressed, pending, unsubscribed }: Audience): Finding {
  const others = `not to ${pending} who have not confirmed, ${unsubscribed} who left and ${suppressed} who are suppressed`;
  return willSend === 0
    ? { id: 'recipients', level: 'warning', message: `Nobody would get it: ${others}.` }
    : { id: 'recipients', level: 'ok', message: `It goes to ${willSend}; ${others}.` };
}
