import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { remindSubscribers } from '../../../api/generated/sdk.gen.ts';
import type { Newsletter } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useWrite } from '../../../api/use-write.ts';
import { counted } from '../../../lib/number.ts';
import { useApiForm } from '../../../lib/use-api-form.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { SUBSCRIBERS_CHANGE } from './subscribers-change.ts';

/** Sends the confirmation email a second time to those who have not answered the first. */
export function RemindPending({ newsletter }: { newsletter: Newsletter }) {
  const [isOpen, setOpen] = useState(false);
  const whyNot = useWhyNot('subscribers:write');
  const { pending } = newsletter.subscriber_counts;
  return (
    <>
      <ActionButton
        variant="default"
        size="xs"
        onClick={() => setOpen(true)}
        disabledReason={whyNot ?? (pending === 0 ? 'Nobody is pending.' : undefined)}
      >
        Remind pending
      </ActionButton>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Remind pending subscribers" size="sm">
        <RemindForm newsletter={newsletter} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function RemindForm({ newsletter, onClose }: { newsletter: Newsletter; onClose: () => void }) {
  const { fields, fail, problem, clear } = useApiForm({ initialValues: { older_than_days: 3 as number | string } });
  const write = useWrite({
    call: (days: number) =>
      remindSubscribers({ path: { id: newsletter.id }, body: { older_than_days: days }, throwOnError: true }),
    changes: SUBSCRIBERS_CHANGE,
    onDone: ({ queued, queued_is_estimate }) => {
      const about = queued_is_estimate === true ? 'about ' : '';
      toastDone(
        queued === 0 ? 'Nobody is left to remind.' : `Reminding ${about}${counted(queued, 'person', 'people')}.`,
      );
      onClose();
    },
    onError: fail,
  });
  return (
    <Form
      label="Remind pending subscribers"
      problem={problem}
      onSubmit={fields.onSubmit(({ older_than_days: days }) => {
        clear();
        write.mutate(Number(days));
      })}
      actions={
        <>
          <ActionButton type="submit" loading={write.isPending}>
            Remind
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <NumberInput
        label="Pending for at least so many days"
        description="Each person is reminded once. The emails leave slowly, in the background."
        min={0}
        max={365}
        data-autofocus
        {...fields.getInputProps('older_than_days')}
      />
    </Form>
  );
}
