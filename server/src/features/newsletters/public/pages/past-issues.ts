import { type Html, html } from '#platform/html/html.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';

/** A list of sent issues under its heading, and under a box to search in them; without any it says so. */
export function pastIssues(context: PageContext, issues: readonly ArchivedIssue[], box: Html | null = null): Html {
  const { pages } = context.locale.messages;
  const hint = context.newsletter.signupEnabled ? ` ${pages.archiveEmptyHint}` : null;
  return html`<section class="past" aria-labelledby="past">
<h2 id="past">${pages.archiveTitle}</h2>
${box}${issues.length === 0 ? html`<p class="quiet">${pages.archiveEmpty}${hint}</p>` : issueList(context, issues)}
</section>`;
}

export const issueList = (context: PageContext, issues: readonly ArchivedIssue[]): Html => html`<ul class="issues">
${issues.map((issue) => entry(context, issue))}</ul>`;

const entry = (context: PageContext, issue: ArchivedIssue): Html => html`<li dir="auto">
<h3><a class="row" href="${pageLinks(context).issue(issue.slug)}">${issue.subject}</a></h3>
${issue.preheader ? html`<p>${issue.preheader}</p>\n` : null}<p class="quiet">${sentOn(context, issue)}</p>
</li>
`;

/** The day in the newsletter's language and zone. */
export function sentOn({ newsletter, locale }: PageContext, { sentAt }: Pick<ArchivedIssue, 'sentAt'>): Html {
  const day = new Intl.DateTimeFormat(locale.language, { dateStyle: 'long', timeZone: newsletter.timezone });
  return html`<time datetime="${sentAt.toISOString()}">${day.format(sentAt)}</time>`;
}
