import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Embedding } from '#platform/pages/layout.ts';
import { getNewsletter } from '../get-newsletter.ts';
import type { IssueContent } from '../issues/content/issue-composition.ts';
import { previewIssue } from '../issues/content/preview-issue.ts';
import { getIssue } from '../issues/get-issue.ts';
import { pageIssues } from '../issues/queries.ts';
import type { Newsletter } from '../newsletter.ts';
import { latestIssues } from '../public/pages/latest-issues.ts';
import { pageContext } from '../public/pages/page-context.ts';
import { subscribePage } from '../public/pages/subscribe-page.ts';
import { type NewsletterInput, readSettings, refuseForeignName } from '../settings/newsletter-input.ts';

const HEADER_LINE = /[\r\n]+/g;

/**
 * The pages and the mail of a newsletter as they would be with these settings. Nothing is stored, and nobody is asked:
 * a sender whose domain is not verified can be looked at, too.
 */
export async function previewNewsletter(ctx: Ctx, id: string, input: NewsletterInput) {
  const newsletter = { ...(await getNewsletter(ctx, id)), ...readSettings(input) };
  refuseForeignName(newsletter);
  const form = async (embedded: Embedding | null): Promise<string> => {
    const context = pageContext(ctx.settings, newsletter, { embedded });
    const latest = await latestIssues(ctx.db, context, newsletter);
    return String(subscribePage(context, { latest }).body);
  };
  return {
    page: await form(null),
    embed: await form({ theme: 'light', layout: 'full' }),
    embed_line: await form({ theme: 'light', layout: 'line' }),
    mail: await mailOf(ctx, newsletter),
  };
}

/** The newest issue; an invented one where there is none that this caller may read and that can be rendered. */
async function mailOf(ctx: Ctx, newsletter: Newsletter): Promise<string> {
  const newest = ctx.actor.may('issues:read') ? await newestIssue(ctx, newsletter) : undefined;
  if (newest !== undefined) {
    try {
      return (await previewIssue(ctx, newsletter, newest, null)).html;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return (await previewIssue(ctx, newsletter, inventedIssue(newsletter), null)).html;
}

async function newestIssue(ctx: Ctx, newsletter: Newsletter): Promise<IssueContent | undefined> {
  const asked = { status: null, limit: 1, offset: 0, after: null, withBody: false };
  const [newest] = await pageIssues(ctx.db, newsletter, asked);
  return newest === undefined ? undefined : getIssue(ctx, newsletter, newest.id);
}

const inventedIssue = ({ id, name }: Newsletter): IssueContent => ({
  id,
  slug: 'preview',
  subject: name.replaceAll(HEADER_LINE, ' '),
  preheader: null,
  htmlBody:
    '<h1>The title of an issue</h1><p>Hello, this is an example of your text, with ' +
    '<a href="https://www.example.com/">a link</a>.</p>',
  textBody: null,
});
