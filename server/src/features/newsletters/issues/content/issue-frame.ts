import { hasLiquid } from '#features/templates';
import type { FooterLink } from '#mail/list-mail/footer.ts';
import { type ListFrame, listFrame } from '#mail/list-mail/list-frame.ts';
import { say } from '#platform/pages/say-text.ts';
import { messagesOf } from '../../locales/messages.ts';
import type { Newsletter } from '../../newsletter.ts';

/** The frame around the html and text of an issue, in the words of its newsletter's language. */
export function issueFrame(
  newsletter: Newsletter,
  issue: { subject: string; preheader: string | null; viewUrl: string },
): ListFrame {
  const { footer } = messagesOf(newsletter.language);
  const links: FooterLink[] = [
    { label: footer.unsubscribe, url: '{{ unsubscribe_url }}' },
    { label: footer.preferences, url: '{{ preferences_url }}' },
    ...(issue.viewUrl === '' ? [] : [{ label: footer.viewOnline, url: issue.viewUrl }]),
  ];
  return listFrame({
    language: newsletter.language,
    title: hasLiquid(issue.subject) ? newsletter.name : issue.subject,
    mark: newsletter,
    preheader: issue.preheader,
    footer: {
      reason: say(footer.reason, { newsletter: newsletter.name }),
      sender: newsletter.fromName ?? newsletter.name,
      postalAddress: newsletter.postalAddress,
      links,
    },
  });
}
