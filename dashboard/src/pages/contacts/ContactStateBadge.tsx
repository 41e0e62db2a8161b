import type { Contact } from '../../api/generated/types.gen.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { stateOfContact } from './contact-state.ts';

export function ContactStateBadge({ contact }: { contact: Pick<Contact, 'unsubscribed' | 'suppressed'> }) {
  const { label, tone } = stateOfContact(contact);
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}
