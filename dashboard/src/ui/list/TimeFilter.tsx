import { Button, Stack, TextInput } from '@mantine/core';
import { Clock } from 'lucide-react';
import { useState } from 'react';
import { asLocalInput, exactTime, fromLocalInput } from '../../lib/time.ts';
import { LaterPopover } from '../menu/LaterPopover.tsx';

interface Props {
  /** Instants as the API takes them. */
  since: string | undefined;
  until: string | undefined;
  /** Of times to come. */
  ahead?: boolean;
  onChange: (change: { since?: string | undefined; until?: string | undefined }) => void;
}

const HOUR = 3_600_000;
const PERIODS = [
  { label: 'Last hour', ms: HOUR },
  { label: 'Last 24 hours', ms: 24 * HOUR },
  { label: 'Last 7 days', ms: 7 * 24 * HOUR },
];
const PERIODS_AHEAD = [
  { label: 'Next 24 hours', ms: 24 * HOUR },
  { label: 'Next 7 days', ms: 7 * 24 * HOUR },
  { label: 'Next 30 days', ms: 30 * 24 * HOUR },
];

/** A period by its two ends, in the person's zone. The address keeps the instants, so that a link shows the same. */
export function TimeFilter({ since, until, ahead = false, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const set = (name: 'since' | 'until', text: string) => {
    if (text === '') onChange({ [name]: undefined });
    else if (!Number.isNaN(Date.parse(text))) onChange({ [name]: fromLocalInput(text) });
  };
  return (
    <LaterPopover
      isOpen={isOpen}
      onChange={setOpen}
      target={
        <Button variant="default" size="xs" leftSection={<Clock size={14} />}>
          {inWords(since, until)}
        </Button>
      }
    >
      <Stack gap="xs">
        {(ahead ? PERIODS_AHEAD : PERIODS).map(({ label, ms }) => (
          <Button
            key={label}
            variant="subtle"
            size="xs"
            justify="flex-start"
            onClick={() => {
              onChange(ahead ? { since: startOf(0), until: startOf(-ms) } : { since: startOf(ms), until: undefined });
              setOpen(false);
            }}
          >
            {label}
          </Button>
        ))}
        <TextInput
          label="From"
          type="datetime-local"
          size="xs"
          value={local(since)}
          onChange={(event) => set('since', event.currentTarget.value)}
        />
        <TextInput
          label="Until"
          type="datetime-local"
          size="xs"
          value={local(until)}
          onChange={(event) => set('until', event.currentTarget.value)}
        />
      </Stack>
    </LaterPopover>
  );
}

const isTime = (text: string | undefined): text is string => text !== undefined && !Number.isNaN(Date.parse(text));
const local = (at: string | undefined): string => (isTime(at) ? asLocalInput(at) : '');
/** To the minute, so that the address stays readable. */
const startOf = (ms: number): string => new Date(Math.floor((Date.now() - ms) / 60_000) * 60_000).toISOString();

function inWords(since: string | undefined, until: string | undefined): string {
  const short = (at: string) => exactTime(at).replace(/:\d\d [^:]*$/, '');
  if (isTime(since) && isTime(until)) return `${short(since)} – ${short(until)}`;
  if (isTime(since)) return `Since ${short(since)}`;
  return isTime(until) ? `Until ${short(until)}` : 'Any time';
}
