import { TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { resendEmail, sendUnconfirmedAgain, treatUnconfirmedAsSent } from '../../api/generated/sdk.gen.ts';
import type { Email } from '../../api/generated/types.gen.ts';
import { useSession, useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { pb } from '../../lib/paths.ts';
import { useApiForm } from '../../lib/use-api-form.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { LaterMenu } from '../../ui/menu/LaterMenu.tsx';
import { toastDone, toastError } from '../../ui/toasts.tsx';
import { whyNotAgain } from './can-send-again.ts';

const CHANGES = ['listEmails', 'getEmail', 'explainEmail', 'getSend', 'listCapturedEmails'];

/** To send an email again: to the same person, or a marked copy to oneself or to another; or to settle it. */
export function EmailActions({ email }: { email: Email }) {
  const whyNot = useWhyNot('emails:send');
  if (email.status === 'unconfirmed') return <Settle email={email} whyNot={whyNot} />;
  return <Resend email={email} whyNot={whyNot ?? whyNotAgain(email)} />;
}

interface Props {
  email: Email;
  whyNot: string | undefined;
}

function Settle({ email, whyNot }: Props) {
  const again = useWrite({
    call: () => sendUnconfirmedAgain({ path: { id: email.id }, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastDone('It is sent once more.'),
    onError: toastError,
  });
  const asSent = useWrite({
    call: () => treatUnconfirmedAsSent({ path: { id: email.id }, throwOnError: true }),
    changes: CHANGES,
    onDone: () => toastDone('It counts as sent.'),
    onError: toastError,
  });
  return (
    <>
      <ActionButton
        variant="default"
        disabledReason={whyNot}
        loading={asSent.isPending}
        onClick={() => asSent.mutate(undefined)}
      >
        Treat as sent
      </ActionButton>
      <ActionButton disabledReason={whyNot} loading={again.isPending} onClick={() => again.mutate(undefined)}>
        Send again, it may arrive twice
      </ActionButton>
    </>
  );
}

function useResend(
  email: Email,
  { onDone, onError }: { onDone?: () => void; onError?: (error: unknown) => void } = {},
) {
  const router = useRouter();
  return useWrite({
    call: (to: string | undefined) =>
      resendEmail({ path: { id: email.id }, ...(to === undefined ? {} : { body: { to } }), throwOnError: true }),
    changes: CHANGES,
    onDone: ({ emails, status }, to) => {
      const [made] = emails;
      onDone?.();
      toastDone(
        status === 'suppressed'
          ? 'The address is on the suppression list: nothing is sent.'
          : `${to === undefined ? 'It' : 'A copy'} is sent to ${made?.to ?? 'the recipients'}.`,
      );
      if (made !== undefined) router.history.push(pb.email(made.id));
    },
    onError: onError ?? toastError,
  });
}

function Resend({ email, whyNot }: Props) {
  const { me } = useSession();
  const [asks, setAsks] = useState(false);
  const write = useResend(email);
  if (whyNot !== undefined) {
    return (
      <ActionButton variant="default" disabledReason={whyNot}>
        Send again
      </ActionButton>
    );
  }
  return (
    <>
      <LaterMenu
        position="bottom-end"
        width={260}
        target={
          <ActionButton variant="default" rightSection={<ChevronDown size={14} />} loading={write.isPending}>
            Send again
          </ActionButton>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item onClick={() => write.mutate(undefined)}>To the same recipient</Menu.Item>
            <Menu.Label>A copy, marked in its subject</Menu.Label>
            <Menu.Item onClick={() => write.mutate(me.email)}>To me, {me.email}</Menu.Item>
            <Menu.Item onClick={() => setAsks(true)}>To another address …</Menu.Item>
          </>
        )}
      </LaterMenu>
      <Dialog opened={asks} onClose={() => setAsks(false)} title="Send a copy to another address" size="sm">
        <ToAnother email={email} onClose={() => setAsks(false)} />
      </Dialog>
    </>
  );
}

function ToAnother({ email, onClose }: { email: Email; onClose: () => void }) {
  const { fields, fail, problem, clear } = useApiForm({ initialValues: { to: '' } });
  const write = useResend(email, { onDone: onClose, onError: fail });
  return (
    <Form
      label="Send a copy to another address"
      problem={problem}
      onSubmit={fields.onSubmit(({ to }) => {
        clear();
        write.mutate(to.trim());
      })}
      actions={
        <>
          <ActionButton type="submit" loading={write.isPending}>
            Send the copy
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <TextInput
        label="Address"
        description="The subject begins with “Copy:”, and nobody else gets it."
        placeholder="ada@example.com"
        type="email"
        data-autofocus
        {...fields.getInputProps('to')}
      />
    </Form>
  );
}
