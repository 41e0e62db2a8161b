import type { RecordFilter } from './email-filters.ts';
import {
  useBroadcastName,
  useDomainName,
  useIssueName,
  useKeyName,
  useNewsletterName,
  useTemplateName,
} from './record-names.ts';

interface RecordNameProps {
  of: RecordFilter;
  id: string;
  /** Of an issue. */
  newsletterId: string | undefined;
}

/** The name of the record whose emails are shown; its id where the name cannot be read. */
export function RecordName({ of, id, newsletterId }: RecordNameProps) {
  const idOf = (filter: RecordFilter) => (of === filter ? id : undefined);
  const names = [
    useKeyName(idOf('api_key_id')),
    useNewsletterName(idOf('newsletter_id')),
    useIssueName(newsletterId, idOf('issue_id')),
    useBroadcastName(idOf('broadcast_id')),
    useTemplateName(idOf('template_id')),
    useDomainName(idOf('domain_id')),
  ];
  return names.find((name) => name !== undefined) ?? id;
}
