import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { exactTime } from '../../lib/time.ts';
import { wallTimes } from '../../lib/wall-time.ts';
import { ActionButton } from '../ActionButton.tsx';
import { Notice } from '../Notice.tsx';
import { Form } from './Form.tsx';
import { ZoneField } from './ZoneField.tsx';

interface Props {
  /** Names the form for a screen reader. */
  label: string;
  /** The button. */
  submit: string;
  /** How far ahead it may be, as a sentence. */
  range: string;
  /** A time of the clock to begin with: `2026-12-01T09:00`. */
  local?: string;
  zone: string;
  /** "The email", "The issue". */
  subject: string;
  problem?: unknown;
  loading: boolean;
  disabledReason?: string | undefined;
  onSchedule: (time: { scheduled_for: string; timezone: string }) => void;
  onClose: () => void;
  children?: ReactNode;
  /** Below the time, which is '' until one is chosen. */
  more?: ((time: { local: string; zone: string }) => ReactNode) | undefined;
}

/** Asks for a time of the clock in a zone, and says which instant that is. */
export function ScheduleForm({
  label,
  submit,
  range,
  local: localAtFirst = '',
  zone: zoneAtFirst,
  subject,
  ...props
}: Props) {
  const [local, setLocal] = useState(localAtFirst);
  const [zone, setZone] = useState(zoneAtFirst);
  return (
    <Form
      label={label}
      problem={props.problem}
      onSubmit={(event) => {
        event?.preventDefault();
        if (local !== '') props.onSchedule({ scheduled_for: `${local}:00`, timezone: zone });
      }}
      actions={
        <>
          <ActionButton
            type="submit"
            loading={props.loading}
            disabledReason={props.disabledReason ?? (local === '' ? 'Choose a day and a time first.' : undefined)}
          >
            {submit}
          </ActionButton>
          <ActionButton variant="default" onClick={props.onClose}>
            Cancel
          </ActionButton>
        </>
      }
    >
      {props.children}
      <TextInput
        type="datetime-local"
        label="Day and time"
        description={range}
        value={local}
        onChange={(event) => setLocal(event.currentTarget.value.slice(0, 16))}
        data-autofocus
      />
      <ZoneField label="Time zone" value={zone} onChange={setZone} />
      {local !== '' && <WallTimeNote local={local} zone={zone} subject={subject} />}
      {props.more?.({ local, zone })}
    </Form>
  );
}

/** The instant that a wall time means; and what happens where the clocks skip or repeat it. */
function WallTimeNote({ local, zone, subject }: { local: string; zone: string; subject: string }) {
  const [first, second] = wallTimes(local, zone);
  if (first === undefined) {
    return (
      <Notice tone="warn">
        The clocks in {zone} skip this time when summer time begins. {subject} is sent as much later as they skip.
      </Notice>
    );
  }
  if (second !== undefined) {
    return (
      <Notice tone="warn">
        The clocks in {zone} show this time twice, because summer time ends. {subject} is sent the first time:{' '}
        {exactTime(new Date(first))}.
      </Notice>
    );
  }
  return <Notice tone="quiet">For you this is {exactTime(new Date(first))}.</Notice>;
}
