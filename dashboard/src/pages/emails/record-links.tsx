/** Links to the records that an email belongs to, with the name of each as soon as it is read. */
import { pb } from '../../lib/paths.ts';
import { useDomainName, useIssueName, useKeyName, useNewsletterName, useTemplateName } from './record-names.ts';

/** A record that is gone, or that the person may not see, has no name: the link says what it leads to. */
export const DomainLink = ({ id }: { id: string }) => (
  <a href={pb.domain(id)}>{useDomainName(id) ?? 'Open the domain'}</a>
);

export const KeyLink = ({ id }: { id: string }) => <a href={pb.key(id)}>{useKeyName(id) ?? 'Open the key'}</a>;

export const NewsletterLink = ({ id }: { id: string }) => (
  <a href={pb.newsletter(id)}>{useNewsletterName(id) ?? 'Open the newsletter'}</a>
);

export const TemplateLink = ({ id }: { id: string }) => (
  <a href={pb.template(id)}>{useTemplateName(id) ?? 'Open the template'}</a>
);

export const IssueLink = ({ id, issueId }: { id: string; issueId: string }) => (
  <a href={pb.issue(id, issueId)}>{useIssueName(id, issueId) ?? 'Open the issue'}</a>
);
