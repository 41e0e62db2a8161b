import { Checkbox, Input, SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import { EVENT_GROUPS, EVENT_TYPES } from '../../lib/event-types.ts';
import classes from './webhooks.module.css';

interface Props {
  value: readonly string[];
  onChange: (events: string[]) => void;
  error?: React.ReactNode;
}

/** Every event, also of types that come later, or a box for each type. */
export function EventChecklist({ value, onChange, error }: Props) {
  const id = useId();
  const isEvery = value.includes('*');
  const toggle = (type: string) =>
    onChange(value.includes(type) ? value.filter((each) => each !== type) : [...value, type]);
  return (
    <div>
      <SegmentedControl
        aria-label="Events"
        size="xs"
        data={[
          { value: 'chosen', label: 'Chosen events' },
          { value: 'every', label: 'Every event' },
        ]}
        value={isEvery ? 'every' : 'chosen'}
        onChange={(next) => onChange(next === 'every' ? ['*'] : [...EVENT_TYPES])}
      />
      {isEvery ? (
        <p className={classes['hint']}>
          Also the types that come later: your receiver must ignore what it does not know.
        </p>
      ) : (
        <div
          className={classes['events']}
          role="group"
          aria-label="Types of events"
          aria-describedby={error ? id : undefined}
        >
          {EVENT_GROUPS.map(({ label, types }) => (
            <div key={label}>
              <h3 className={classes['groupTitle']}>{label}</h3>
              {types.map(({ type, meaning }) => (
                <Checkbox
                  key={type}
                  size="xs"
                  className={classes['event']}
                  label={type}
                  description={meaning}
                  checked={value.includes(type)}
                  onChange={() => toggle(type)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {error && <Input.Error id={id}>{error}</Input.Error>}
    </div>
  );
}
