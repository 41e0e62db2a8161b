import { type AcceptedContent, createRenderer, type PersonalContent } from '#features/outbox';
import { hasLiquid, parseTemplate, TemplateError, type TemplateKind } from '#features/templates';
import { RefusedHtml } from '#mail/frame/refused-html.ts';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { headerSizeProblem } from '#mail/message-headers.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { type AppError, unacceptable } from '#platform/errors/app-error.ts';
import { deadLinks, type SampleSubscriber, sampleSubscribers } from './sample-subscriber.ts';
import type { Newsletter } from '../../newsletter.ts';
import { type NewsletterSender, senderOf } from '../../settings/sender-of-newsletter.ts';
import type { Issue } from '../issue.ts';
import { issueFrame } from './issue-frame.ts';
import { sharedHeaders } from '#mail/list-mail/list-headers.ts';
import { issueVariables, viewUrl } from './issue-variables.ts';

/** The dependencies of composing in its caller's ctx or wiring. */
export interface Composing {
  readonly db: Db;
  readonly settings: Settings;
}

/** The parts of an issue that can be composed: also one that is only being written. */
export type IssueContent = Pick<Issue, 'id' | 'slug' | 'subject' | 'preheader' | 'htmlBody' | 'textBody'>;

/** An issue as it is stored once for all its recipients. */
export interface ComposedIssue {
  content: AcceptedContent;
  personal: PersonalContent;
}

const BODY_CHARS_MAX = 2 * 1024 * 1024;
const SUBJECT_CHARS_MAX = 998;

/**
 * Composes an issue, or throws why it cannot be sent: `from_email` when the newsletter has no sender that may send,
 * `html_body`, `text_body`, `subject` or `preheader` for what is missing, too large, not acceptable or no good
 * template. The result was rendered for people with and without a name, so that nothing of the issue itself can fail
 * later.
 */
export async function composeIssue(
  composing: Composing,
  newsletter: Newsletter,
  issue: IssueContent,
): Promise<ComposedIssue> {
  const sender = await senderOf({ ...composing, workspaceId: newsletter.workspaceId }, newsletter);
  if (sender === null) throw noSender(newsletter);
  const { texts, personal } = await composeTexts(composing, newsletter, issue, sender.domain.domain);
  const content = { ...acceptedContent(newsletter, sender), ...texts };
  const tooLarge = headerSizeProblem({ ...content, headers: {} }, { to: [sender.from] });
  if (tooLarge !== null) throw unacceptable('subject', tooLarge);
  return { content, personal };
}

interface Texts {
  subject: string;
  html: string;
  text: string | null;
}

/** The texts of an issue and their frame; `domain` names the list. Throws as composeIssue does. */
export async function composeTexts(
  { settings }: Pick<Composing, 'settings'>,
  newsletter: Newsletter,
  issue: IssueContent,
  domain: string,
): Promise<{ texts: Texts; personal: PersonalContent }> {
  refuseSizes(issue);
  const fields = [issue.subject, issue.preheader ?? '', issue.htmlBody, issue.textBody ?? ''];
  const liquid = fields.some(hasLiquid);
  const personalPreheader = liquid && issue.preheader !== null && hasLiquid(issue.preheader);
  const texts = { subject: issue.subject, html: issue.htmlBody, text: issue.textBody };
  const personal = {
    liquid,
    headers: sharedHeaders(newsletter, domain, issue.id),
    preheader: personalPreheader ? issue.preheader : null,
    frame: issueFrame(newsletter, {
      subject: issue.subject,
      preheader: personalPreheader ? '{{ preheader }}' : issue.preheader,
      viewUrl: viewUrl(settings.dashboardUrl, newsletter, issue),
    }),
  };
  if (liquid) await refuseTemplates(settings, newsletter, issue);
  for (const subscriber of sampleSubscribers)
    await renderFor(settings, newsletter, issue, { texts, personal }, subscriber);
  return { texts, personal };
}

/**
 * The message that one subscriber would get. Their links are given; for a sample they lead nowhere. Throws as
 * composeIssue does.
 */
export async function renderFor(
  settings: Settings,
  newsletter: Newsletter,
  issue: IssueContent,
  { texts, personal }: { texts: Texts; personal: PersonalContent },
  subscriber: SampleSubscriber,
  links = deadLinks(settings.dashboardUrl),
): Promise<RenderedMail> {
  const variables = issueVariables({ dashboardUrl: settings.dashboardUrl, newsletter, issue, subscriber, ...links });
  try {
    const rendered = (await createRenderer(texts, personal))(variables);
    if (rendered.subject.length > SUBJECT_CHARS_MAX) throw subjectTooLong();
    return rendered;
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof RefusedHtml || error instanceof TemplateError) return unacceptable('html_body', error.message);
  return error;
}

async function refuseTemplates(settings: Settings, newsletter: Newsletter, issue: IssueContent): Promise<void> {
  const fields: [param: string, source: string | null, kind: TemplateKind][] = [
    ['subject', issue.subject, 'subject'],
    ['preheader', issue.preheader, 'subject'],
    ['html_body', issue.htmlBody, 'html'],
    ['text_body', issue.textBody, 'text'],
  ];
  for (const [param, source, kind] of fields) {
    try {
      if (source === null) continue;
      const template = await parseTemplate(source, kind);
      for (const subscriber of sampleSubscribers) {
        const given = { dashboardUrl: settings.dashboardUrl, newsletter, issue, subscriber };
        const variables = issueVariables({ ...given, ...deadLinks(settings.dashboardUrl) });
        if (template.render(variables) === '' && param === 'subject') throw emptySubject();
      }
    } catch (error) {
      throw error instanceof TemplateError ? unacceptable(param, error.message) : error;
    }
  }
}

function refuseSizes(issue: IssueContent): void {
  if (issue.htmlBody.trim() === '') throw unacceptable('html_body', 'The issue has no body. Write one first.');
  if (issue.htmlBody.length > BODY_CHARS_MAX) throw unacceptable('html_body', 'The body is longer than 2 MB.');
  if ((issue.textBody ?? '').length > BODY_CHARS_MAX) throw unacceptable('text_body', 'The text is longer than 2 MB.');
  if (issue.subject.trim() === '') throw unacceptable('subject', 'The issue has no subject.');
  if (issue.subject.length > SUBJECT_CHARS_MAX) throw subjectTooLong();
}

const emptySubject = (): AppError =>
  unacceptable('subject', 'The subject is empty for subscribers without a name. Give what it shows a default.');

const subjectTooLong = (): AppError =>
  unacceptable('subject', `The subject is longer than ${SUBJECT_CHARS_MAX} characters.`);

/** The refusal of a newsletter that nothing can be sent for. */
export function noSender({ fromEmail }: Newsletter): AppError {
  if (fromEmail === null) {
    return unacceptable('from_email', 'The newsletter has no sender. Give it a from_email at a verified domain.');
  }
  const domain = fromEmail.slice(fromEmail.lastIndexOf('@') + 1);
  return unacceptable(
    'from_email',
    `The domain ${domain} of the newsletter's from_email is not verified for sending. Verify it, or change from_email.`,
  );
}

const acceptedContent = (newsletter: Newsletter, { from, domain, replyTo }: NewsletterSender) => ({
  from,
  domain: { domain: domain.domain, domainId: domain.domainId },
  replyTo: replyTo === null ? [] : [replyTo],
  headers: {},
  inReplyTo: null,
  tags: [],
  metadata: {},
  trackOpens: newsletter.trackOpens,
  trackClicks: newsletter.trackClicks,
  attachments: [],
});
