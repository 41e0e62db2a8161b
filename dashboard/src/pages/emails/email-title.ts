import type { Email } from '../../api/generated/types.gen.ts';
import { shownSubjectOf } from '../../lib/blocks/shown-subject.ts';

export const titleOf = (email: Pick<Email, 'subject' | 'source'>): string => shownSubjectOf(email) || '(no subject)';
