import { Select, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { scheduleIssue } from '../../../api/generated/sdk.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { wallTimes } from '../../../lib/wall-time.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../../ui/dialog/LoadedDialog.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { toastDone } from '../../../ui/toasts.tsx';
import { ISSUE_CHANGES, type IssueIds } from './SendIssue.tsx';

const ZONES = Intl.supportedValuesOf('timeZone');

interface Props {
  path: IssueIds;
  zone: string;
  onClose: () => void;
}

/** The form of `ScheduleIssue`. */
export function ScheduleDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog opened={opened} onClose={props.onClose} title="When should it be sent?" size="sm">
      <ScheduleForm {...props} />
    </LoadedDialog>
  );
}

function ScheduleForm({ path, zone: usual, onClose }: Props) {
  const [local, setLocal] = useState('');
  const [zone, setZone] = useState(usual);
  const router = useRouter();
  const write = useWrite({
    call: () => scheduleIssue({ path, body: { scheduled_for: `${local}:00`, timezone: zone }, throwOnError: true }),
    changes: ISSUE_CHANGES,
    onDone: ({ scheduled_for }) => {
      onClose();
      toastDone(scheduled_for === null ? 'Scheduled.' : `Scheduled for ${exactTime(scheduled_for)}.`);
      router.history.push(pb.issue(path.id, path.issueId));
    },
  });
  return (
    <Form
      label="Schedule the issue"
      problem={write.error ?? undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        if (local !== '') write.mutate(undefined);
      }}
      actions={
        <>
          <ActionButton
            type="submit"
            loading={write.isPending}
            disabledReason={local === '' ? 'Choose a day and a time first.' : undefined}
          >
            Schedule
          </ActionButton>
          <ActionButton variant="default" onClick={onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      <TextInput
        type="datetime-local"
        label="Day and time"
        description="From 30 seconds to 30 days ahead."
        value={local}
        onChange={(event) => setLocal(event.currentTarget.value.slice(0, 16))}
        data-autofocus
      />
      <Select
        label="Time zone"
        data={ZONES.includes(usual) ? ZONES : [usual, ...ZONES]}
        value={zone}
        onChange={(next) => setZone(next ?? usual)}
        searchable
        limit={100}
        allowDeselect={false}
      />
      {local !== '' && <WallTimeNote local={local} zone={zone} />}
    </Form>
  );
}

/** The instant that a wall time means; and what happens where the clocks skip or repeat it. */
function WallTimeNote({ local, zone }: { local: string; zone: string }) {
  const [first, second] = wallTimes(local, zone);
  if (first === undefined) {
    return (
      <Notice tone="warn">
        The clocks in {zone} skip this time when summer time begins. The issue is sent as much later as they skip.
      </Notice>
    );
  }
  if (second !== undefined) {
    return (
      <Notice tone="warn">
        The clocks in {zone} show this time twice, because summer time ends. The issue is sent the first time:{' '}
        {exactTime(new Date(first))}.
      </Notice>
    );
  }
  return <Notice tone="quiet">For you this is {exactTime(new Date(first))}.</Notice>;
}
