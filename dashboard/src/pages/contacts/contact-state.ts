import type { Contact } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

interface ContactState {
  label: string;
  tone: Tone;
  /** Why the person gets no mail to many, when that is so. */
  why: string | undefined;
}

/** Whether a contact gets mail. A suppression counts for all mail, an unsubscription for mail to many. */
export function stateOfContact({
  unsubscribed,
  suppressed,
}: Pick<Contact, 'unsubscribed' | 'suppressed'>): ContactState {
  if (suppressed) {
    return { label: 'Suppressed', tone: 'bad', why: 'The address is on the suppression list: nothing is sent to it.' };
  }
  if (unsubscribed) {
    return {
      label: 'Unsubscribed',
      tone: 'quiet',
      why: 'This person wants no mail to many. Single emails still leave.',
    };
  }
  return { label: 'Subscribed', tone: 'ok', why: undefined };
}
