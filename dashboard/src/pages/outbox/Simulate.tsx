import { ChevronDown, MousePointerClick } from 'lucide-react';
import { useState } from 'react';
import type { CapturedEmail, SimulateOutcomeRequest } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LaterMenu } from '../../ui/menu/LaterMenu.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import classes from './outbox.module.css';
import { simulateAndWait } from './simulate-and-wait.ts';

/** Few messages have several recipients. */
const SimulateFor = lazyPart(() => import('./SimulateFor.tsx').then((file) => file.SimulateFor));

type Outcome = SimulateOutcomeRequest['outcome'];

/** In the order in which they may happen to an email; the words say what follows. */
const OUTCOMES: readonly { outcome: Outcome; label: string; about: string; done: string }[] = [
  { outcome: 'delay', label: 'Delay', about: 'The receiving server puts it off', done: 'Delayed.' },
  { outcome: 'delivery', label: 'Delivery', about: 'The receiving server takes it', done: 'Delivered.' },
  { outcome: 'open', label: 'Open', about: 'A person opens it', done: 'Opened.' },
  { outcome: 'click', label: 'Click', about: 'A person follows its first tracked link', done: 'Clicked.' },
  { outcome: 'soft_bounce', label: 'Temporary bounce', about: 'The mailbox is full', done: 'Bounced for now.' },
  {
    outcome: 'bounce',
    label: 'Permanent bounce',
    about: 'No such mailbox: the address is suppressed',
    done: 'Bounced, and the address is suppressed.',
  },
  {
    outcome: 'complaint',
    label: 'Complaint',
    about: 'Marked as spam: the address is suppressed',
    done: 'Complained, and the address is suppressed.',
  },
  { outcome: 'reject', label: 'Reject', about: 'The provider refuses the content', done: 'Rejected.' },
];

const CHANGES = ['getEmail', 'explainEmail', 'listEmails', 'listSuppressions', 'listEvents', 'getOverview'];

function useSimulate(message: CapturedEmail) {
  return useWrite({
    call: (body: SimulateOutcomeRequest) => simulateAndWait(message, body),
    changes: CHANGES,
    onDone: (_result, { outcome }) => toastDone(OUTCOMES.find((one) => one.outcome === outcome)?.done ?? 'Done.'),
    onError: toastError,
  });
}

/** Plays what a provider would report, so that a program can be tried before there is one. */
export function Simulate({ message }: { message: CapturedEmail }) {
  const whyNot = useWhyNot('emails:send');
  const [recipient, setRecipient] = useState<string | null>(null);
  const write = useSimulate(message);
  if (whyNot !== undefined) return <ActionButton disabledReason={whyNot}>Simulate</ActionButton>;
  return (
    <LaterMenu
      position="bottom-end"
      width={290}
      target={
        <ActionButton variant="filled" rightSection={<ChevronDown size={14} />} loading={write.isPending}>
          Simulate
        </ActionButton>
      }
    >
      {(Menu) => (
        <>
          {message.to.length > 1 && <SimulateFor recipients={message.to} value={recipient} onChange={setRecipient} />}
          {OUTCOMES.map(({ outcome, label, about }) => (
            <Menu.Item
              key={outcome}
              onClick={() => write.mutate({ outcome, ...(recipient === null ? {} : { recipient }) })}
            >
              {label}
              <span className={classes['about']}>{about}</span>
            </Menu.Item>
          ))}
        </>
      )}
    </LaterMenu>
  );
}

export function SimulateClick({ message, url }: { message: CapturedEmail; url: string }) {
  const whyNot = useWhyNot('emails:send');
  const write = useSimulate(message);
  return (
    <ActionButton
      variant="default"
      size="xs"
      leftSection={<MousePointerClick size={14} />}
      loading={write.isPending}
      disabledReason={whyNot}
      onClick={() => write.mutate({ outcome: 'click', link: url })}
    >
      Simulate a click
    </ActionButton>
  );
}
