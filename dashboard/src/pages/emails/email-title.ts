import type { Email } from '../../api/generated/types.gen.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';

/** The subject as people know the email by; that of an issue is kept once for all its readers, with its values. */
export function titleOf({ subject, source }: Pick<Email, 'subject' | 'source'>): string {
  if (subject === '') return '(no subject)';
  return source === 'issue' ? shownSubject(subject) : subject;
}
