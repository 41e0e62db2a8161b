import type { Composition } from '#features/compositions';
import { say } from '#platform/pages/say-text.ts';
import { messagesOf } from '#features/reader-pages';
import type { Newsletter } from '../../newsletter.ts';
import type { Issue } from '../issue.ts';
import { issueVariables, KNOWN_PATHS, viewUrl } from './issue-variables.ts';

/** The parts of an issue that can be composed: also one that is only being written. */
export type IssueContent = Pick<Issue, 'id' | 'slug' | 'subject' | 'preheader' | 'htmlBody' | 'textBody'>;

const NAMES: Composition['names'] = {
  mail: 'issue',
  list: 'newsletter',
  readers: 'subscribers',
  html: 'html_body',
  text: 'text_body',
  sender: 'from_email',
};

/** An issue as mail to many, in the words of its newsletter's language. */
export function issueComposition(dashboardUrl: string, newsletter: Newsletter, issue: IssueContent): Composition {
  const { footer } = messagesOf(newsletter.language);
  return {
    id: issue.id,
    written: { subject: issue.subject, preheader: issue.preheader, html: issue.htmlBody, text: issue.textBody },
    list: newsletter,
    frame: {
      language: newsletter.language,
      mark: newsletter,
      sender: newsletter.fromName ?? newsletter.name,
      postalAddress: newsletter.postalAddress,
      words: { ...footer, reason: say(footer.reason, { newsletter: newsletter.name }) },
      viewUrl: viewUrl(dashboardUrl, newsletter, issue),
    },
    tracking: { opens: newsletter.trackOpens, clicks: newsletter.trackClicks },
    variablesOf: (subscriber, links) => issueVariables({ dashboardUrl, newsletter, issue, subscriber, ...links }),
    knownPaths: KNOWN_PATHS,
    ofReader: ['subscriber', 'unsubscribe_url', 'preferences_url'],
    deadLinks: (token) => ({
      unsubscribeUrl: `${dashboardUrl}/api/n/unsubscribe?token=${token}`,
      preferencesUrl: `${dashboardUrl}/api/n/preferences?token=${token}`,
    }),
    names: NAMES,
  };
}
