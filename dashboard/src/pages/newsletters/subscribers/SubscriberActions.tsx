import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteSubscriber, resendConfirmation, unsubscribeSubscriber } from '../../../api/generated/sdk.gen.ts';
import type { Subscriber } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ConfirmTyped } from '../../../ui/ConfirmTyped.tsx';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { whyNotUnsubscribe } from './subscriber-words.ts';
import { SUBSCRIBERS_CHANGE } from './subscribers-change.ts';

/** The actions on one person. */
export function SubscriberActions({ person }: { person: Subscriber }) {
  const router = useRouter();
  const whyNot = useWhyNot('subscribers:write');
  const [asks, setAsks] = useState<'unsubscribe' | 'erase'>();
  const path = { id: person.newsletter_id, subscriberId: person.id };
  const close = () => setAsks(undefined);
  const resend = useWrite({
    call: () => resendConfirmation({ path, throwOnError: true }),
    changes: SUBSCRIBERS_CHANGE,
    onDone: () => toastDone('The confirmation email is on its way.'),
    onError: toastError,
  });
  const unsubscribe = useWrite({
    call: () => unsubscribeSubscriber({ path, throwOnError: true }),
    changes: SUBSCRIBERS_CHANGE,
    onDone: () => {
      toastDone(`${person.email} is unsubscribed.`);
      close();
    },
    onError: toastError,
  });
  const erase = useWrite({
    call: () => deleteSubscriber({ path, throwOnError: true }),
    changes: ['listSubscribers', 'getNewsletter', 'listNewsletters'],
    onDone: () => {
      toastDone('The subscriber is erased.');
      router.history.push(pb.newsletterTab(person.newsletter_id, 'subscribers'));
    },
    onError: toastError,
  });
  return (
    <>
      {person.status === 'pending' && (
        <ActionButton
          variant="default"
          loading={resend.isPending}
          disabledReason={whyNot}
          onClick={() => resend.mutate(undefined)}
        >
          Resend confirmation
        </ActionButton>
      )}
      <ActionButton
        variant="default"
        disabledReason={whyNot ?? whyNotUnsubscribe(person)}
        onClick={() => setAsks('unsubscribe')}
      >
        Unsubscribe
      </ActionButton>
      <ActionButton variant="default" disabledReason={whyNot} onClick={() => setAsks('erase')}>
        Erase
      </ActionButton>
      <ConfirmTyped
        opened={asks === 'unsubscribe'}
        onClose={close}
        onConfirm={() => unsubscribe.mutate(undefined)}
        loading={unsubscribe.isPending}
        title="Unsubscribe this person?"
        expected={person.email}
        of="their address"
        confirm="Unsubscribe"
        danger
      >
        They get no more issues. Only they can bring themselves back, by signing up again.
      </ConfirmTyped>
      <ConfirmTyped
        opened={asks === 'erase'}
        onClose={close}
        onConfirm={() => erase.mutate(undefined)}
        loading={erase.isPending}
        title="Erase this person?"
        expected={person.email}
        of="their address"
        confirm="Erase"
        danger
      >
        Their address is removed from this list, from emails, events and consent records within a day. A hash of it
        stays, so that no import brings them back. This cannot be undone.
      </ConfirmTyped>
    </>
  );
}
