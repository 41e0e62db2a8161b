import { Select, TextInput } from '@mantine/core';
import { eventName, kindOfTrigger, OWN_EVENT, TRIGGERS } from './triggers.ts';

interface Props {
  label: string;
  value: string;
  error?: string | undefined;
  readOnly: boolean;
  /** A run can also be started by nothing but a call. */
  starts?: boolean;
  onChange: (type: string) => void;
}

/** Which event: one of this service, or one of one's own by its name. */
export function EventTypeInput({ label, value, error, readOnly, starts = false, onChange }: Props) {
  const kind = kindOfTrigger(value);
  const kinds = TRIGGERS.filter(({ startsOnly }) => starts || startsOnly !== true);
  const data = kinds.map(({ type, label: words }) => ({ value: type, label: words }));
  const isKnown = value === '' || data.some((one) => one.value === kind);
  const isOwn = kind === OWN_EVENT;
  return (
    <>
      <Select
        label={label}
        data={isKnown ? data : [...data, { value, label: value }]}
        value={value === '' ? null : kind}
        onChange={(next) => next !== null && onChange(next === OWN_EVENT ? 'event:' : next)}
        error={isOwn ? undefined : error}
        readOnly={readOnly}
        allowDeselect={false}
        maxDropdownHeight={380}
      />
      {isOwn && (
        <TextInput
          label="Name of the event"
          description="Your program tells it by POST /v1/events."
          placeholder="order.paid"
          value={eventName(value)}
          onChange={(change) => onChange(`event:${change.currentTarget.value.trim()}`)}
          error={error}
          readOnly={readOnly}
          spellCheck={false}
          maxLength={100}
        />
      )}
    </>
  );
}
