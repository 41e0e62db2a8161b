import { Button, InputBase, TextInput } from '@mantine/core';
import { CalendarClock, ChevronDown, SlidersHorizontal, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { EMAIL_STATUSES } from '../../lib/mail/email-status.ts';
import { asLocalInput, exactTime, fromLocalInput } from '../../lib/time.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { LaterPopover } from '../../ui/menu/LaterPopover.tsx';
import { type FilterName, isRecordFilter, LABELS } from './email-filters.ts';
import classes from './emails.module.css';
import { SOURCES } from '../../lib/mail/sources.ts';

const RecordFields = lazyPart(() => import('./RecordFields.tsx').then((file) => file.RecordFields));
const RecordName = lazyPart(() => import('./RecordName.tsx').then((file) => file.RecordName), '…');

type State = Readonly<Partial<Record<FilterName | 'search', string>>>;

interface Props {
  state: State;
  onChange: (change: { [N in FilterName | 'search']?: string | undefined }) => void;
}

const STATUSES = Object.entries(EMAIL_STATUSES).map(([value, { label }]) => ({ value, label }));
const SOURCE_OPTIONS = Object.entries(SOURCES).map(([value, label]) => ({ value, label }));

export function EmailFilters({ state, onChange }: Props) {
  return (
    <>
      <SearchFilter
        label="Address, subject, Message-ID or id"
        value={state.search}
        onChange={(search) => onChange({ search })}
      />
      <SelectFilter
        label="Status"
        value={state.status}
        options={STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <Period state={state} onChange={onChange} />
      <More state={state} onChange={onChange} />
      {(Object.keys(LABELS) as FilterName[]).map((name) => {
        const value = state[name];
        if (value === undefined) return null;
        const clear =
          name === 'counted'
            ? { counted: undefined, counted_since: undefined, counted_until: undefined, mailbox_provider: undefined }
            : { [name]: undefined };
        return (
          <button key={name} type="button" className={classes['chip']} onClick={() => onChange(clear)}>
            <span>
              {LABELS[name]}: <ChipValue name={name} value={value} newsletterId={state.newsletter_id} />
            </span>
            <X size={12} aria-label="Take this filter away" />
          </button>
        );
      })}
    </>
  );
}

interface ChipProps {
  name: FilterName;
  value: string;
  newsletterId: string | undefined;
}

function ChipValue({ name, value, newsletterId }: ChipProps) {
  if (isRecordFilter(name)) return <RecordName of={name} id={value} newsletterId={newsletterId} />;
  return name === 'source' ? (SOURCES[value as keyof typeof SOURCES] ?? value) : value;
}

const HOUR_MS = 3_600_000;
const SPANS = [
  { label: 'The last hour', ms: HOUR_MS },
  { label: 'The last 24 hours', ms: 24 * HOUR_MS },
  { label: 'The last 7 days', ms: 168 * HOUR_MS },
  { label: 'The last 30 days', ms: 720 * HOUR_MS },
];

function Period({ state: { since, until }, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const choose = (change: { since?: string | undefined; until?: string | undefined }) => {
    onChange(change);
    setOpen(false);
  };
  return (
    <LaterPopover
      isOpen={isOpen}
      onChange={setOpen}
      label="Time"
      target={
        <Button
          className={classes['filter'] ?? ''}
          variant="default"
          size="xs"
          leftSection={<CalendarClock size={14} />}
          data-set={since !== undefined || until !== undefined || undefined}
        >
          {wordsOf(since, until)}
        </Button>
      }
    >
      <div className={classes['spans']}>
        {SPANS.map(({ label, ms }) => (
          <Button
            key={label}
            variant="subtle"
            size="xs"
            justify="flex-start"
            // To the minute, so that the address stays short.
            onClick={() =>
              choose({ since: `${new Date(Date.now() - ms).toISOString().slice(0, 16)}:00Z`, until: undefined })
            }
          >
            {label}
          </Button>
        ))}
        <Button
          variant="subtle"
          size="xs"
          justify="flex-start"
          onClick={() => choose({ since: undefined, until: undefined })}
        >
          Any time
        </Button>
      </div>
      <SpanForm since={since} until={until} onChoose={choose} />
    </LaterPopover>
  );
}

interface SpanProps {
  since: string | undefined;
  until: string | undefined;
  onChoose: (change: { since: string | undefined; until: string | undefined }) => void;
}

function SpanForm({ since, until, onChoose }: SpanProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    onChoose({ since: instantOf(data.get('since')), until: instantOf(data.get('until')) });
  };
  return (
    <form className={classes['more']} onSubmit={submit} aria-label="From and until">
      <TextInput size="xs" type="datetime-local" name="since" label="From" defaultValue={localOf(since)} />
      <TextInput size="xs" type="datetime-local" name="until" label="Until" defaultValue={localOf(until)} />
      <Button type="submit" size="xs" variant="filled">
        Apply
      </Button>
    </form>
  );
}

const instantOf = (value: FormDataEntryValue | null): string | undefined =>
  typeof value === 'string' && value !== '' ? fromLocalInput(value) : undefined;

/** In the person's zone, as the field wants it. */
function localOf(at: string | undefined): string {
  return at === undefined || Number.isNaN(Date.parse(at)) ? '' : asLocalInput(at);
}

function wordsOf(since: string | undefined, until: string | undefined): string {
  const short = (at: string) => (Number.isNaN(Date.parse(at)) ? at : exactTime(at).replace(/:\d\d [^:]*$/, ''));
  if (since === undefined && until === undefined) return 'Any time';
  if (until === undefined) return `Since ${short(since ?? '')}`;
  return since === undefined ? `Until ${short(until)}` : `${short(since)} – ${short(until)}`;
}

const MORE = [
  { name: 'from', label: 'From', placeholder: 'hello@example.com' },
  { name: 'tag', label: 'Tag', placeholder: 'name or name:value' },
  { name: 'metadata', label: 'Metadata', placeholder: 'name or name:value' },
] as const;

const RECORDS = ['api_key_id', 'newsletter_id', 'issue_id', 'template_id', 'domain_id'] as const;

function More({ state, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    // A field that is still loading is not there, and changes nothing.
    const names = ['source', ...MORE.map(({ name }) => name), ...RECORDS].filter((name) => data.has(name));
    onChange(Object.fromEntries(names.map((name) => [name, String(data.get(name)).trim() || undefined])));
    setOpen(false);
  };
  return (
    <LaterPopover
      isOpen={isOpen}
      onChange={setOpen}
      label="More filters"
      target={
        <Button
          className={classes['filter'] ?? ''}
          variant="default"
          size="xs"
          leftSection={<SlidersHorizontal size={14} />}
        >
          More
        </Button>
      }
    >
      <form className={classes['more']} onSubmit={submit} aria-label="More filters">
        <InputBase
          component="select"
          size="xs"
          name="source"
          label="Source"
          defaultValue={state.source ?? ''}
          pointer
          rightSection={<ChevronDown size={14} aria-hidden="true" />}
          rightSectionPointerEvents="none"
        >
          <option value="">Every source</option>
          {SOURCE_OPTIONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </InputBase>
        {MORE.map(({ name, label, placeholder }) => (
          <TextInput
            key={name}
            size="xs"
            name={name}
            label={label}
            placeholder={placeholder}
            defaultValue={state[name] ?? ''}
          />
        ))}
        <RecordFields state={state} />
        <Button type="submit" size="xs" variant="filled">
          Apply
        </Button>
      </form>
    </LaterPopover>
  );
}
