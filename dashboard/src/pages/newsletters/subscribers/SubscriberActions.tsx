import { useRouter } from '@tanstack/react-router';
import { deleteSubscriber, resendConfirmation, unsubscribeSubscriber } from '../../../api/generated/sdk.gen.ts';
import type { Subscriber } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { toastDone, toastError } from '../../../ui/toasts.tsx';
import { TypedButton } from '../../../ui/TypedButton.tsx';
import { WriteButton } from '../../../ui/WriteButton.tsx';
import { whyNotUnsubscribe } from './subscriber-words.ts';
import { SUBSCRIBERS_CHANGE } from './subscribers-change.ts';

/** The actions on one person. */
export function SubscriberActions({ person }: { person: Subscriber }) {
  const router = useRouter();
  const whyNot = useWhyNot('subscribers:write');
  const path = { id: person.newsletter_id, subscriberId: person.id };
  const resend = useWrite({
    call: () => resendConfirmation({ path, throwOnError: true }),
    changes: SUBSCRIBERS_CHANGE,
    onDone: () => toastDone('The confirmation email is on its way.'),
    onError: toastError,
  });
  const unsubscribe = useWrite({
    call: () => unsubscribeSubscriber({ path, throwOnError: true }),
    changes: SUBSCRIBERS_CHANGE,
    onDone: () => toastDone(`${person.email} is unsubscribed.`),
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
        <WriteButton variant="default" write={resend} disabledReason={whyNot}>
          Resend confirmation
        </WriteButton>
      )}
      <TypedButton
        label="Unsubscribe"
        variant="default"
        write={unsubscribe}
        disabledReason={whyNot ?? whyNotUnsubscribe(person)}
        title="Unsubscribe this person?"
        expected={person.email}
        of="their address"
        confirm="Unsubscribe"
      >
        They get no more issues. Only they can bring themselves back, by signing up again.
      </TypedButton>
      <TypedButton
        label="Erase"
        write={erase}
        disabledReason={whyNot}
        title="Erase this person?"
        expected={person.email}
        of="their address"
        confirm="Erase"
      >
        Their address is removed from this list, from emails, events and consent records within the hour. A hash of it
        stays, so that no import brings them back. This cannot be undone.
      </TypedButton>
    </>
  );
}
