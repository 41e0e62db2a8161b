import { hasLiquid, parseTemplate, TemplateError, type TemplateKind } from '#features/templates';
import { issueVariables } from '../../issues/content/issue-variables.ts';
import type { PageContext } from './page-context.ts';
import { pageLinks } from './page-links.ts';
import type { ArchivedIssue } from './queries.ts';

/**
 * The author's text for an anonymous reader: variables about a person are empty, and links to leave lead to the form.
 */
const variablesFor = (context: PageContext, issue: ArchivedIssue) => {
  const subscribe = context.origin + pageLinks(context).subscribe;
  return issueVariables({
    dashboardUrl: context.origin + context.basePath,
    newsletter: context.newsletter,
    issue,
    subscriber: { name: null, email: '', metadata: {} },
    unsubscribeUrl: subscribe,
    preferencesUrl: subscribe,
  });
};

/**
 * A part of an issue as nobody in particular reads it. A text that takes too long to render is shown as it was
 * written: it was sent, and its page is there.
 */
export async function forNobody(
  context: PageContext,
  issue: ArchivedIssue,
  [source, kind]: [source: string, kind: TemplateKind],
): Promise<string> {
  if (!hasLiquid(source)) return source;
  try {
    return (await parseTemplate(source, kind)).render(variablesFor(context, issue));
  } catch (error) {
    if (error instanceof TemplateError) return source;
    throw error;
  }
}

/** An issue with the subject and preheader that lists and feeds show; a subject about the reader alone is the name. */
export async function namedForNobody<Issue extends ArchivedIssue>(context: PageContext, issue: Issue): Promise<Issue> {
  const subject = await forNobody(context, issue, [issue.subject, 'subject']);
  const preheader = issue.preheader === null ? null : await forNobody(context, issue, [issue.preheader, 'subject']);
  return { ...issue, subject: subject.trim() === '' ? context.newsletter.name : subject, preheader: preheader || null };
}

export const allNamedForNobody = (context: PageContext, issues: readonly ArchivedIssue[]): Promise<ArchivedIssue[]> =>
  Promise.all(issues.map((issue) => namedForNobody(context, issue)));
