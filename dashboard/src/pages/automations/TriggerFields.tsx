import { ActionIcon, Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { allNewsletters } from '../../api/all-newsletters.ts';
import type { AutomationCondition, AutomationTrigger } from '../../api/generated/types.gen.ts';
import classes from './automations.module.css';
import { ConditionInput } from './ConditionInput.tsx';
import { EventTypeInput } from './EventTypeInput.tsx';
import { isOfNewsletter } from './triggers.ts';

interface Props {
  label: string;
  value: AutomationTrigger;
  /** By the fields of a trigger: `type`, `newsletter_id`, `filter[0].value`. */
  faults: Readonly<Record<string, string>>;
  readOnly: boolean;
  starts?: boolean;
  onChange: (value: AutomationTrigger) => void;
}

const ANY = '';
const FRESH: AutomationCondition = { field: '', op: 'equals', value: '' };

/** An event, the newsletter that it is limited to, and the conditions that hold for it. */
export function TriggerFields({ label, value, faults, readOnly, starts = false, onChange }: Props) {
  const filter = value.filter ?? [];
  const setFilter = (next: AutomationCondition[]) => onChange({ ...value, filter: next.length === 0 ? null : next });
  return (
    <div className={classes['stack']}>
      <EventTypeInput
        label={label}
        value={value.type}
        error={faults['type']}
        readOnly={readOnly}
        starts={starts}
        onChange={(type) => onChange({ ...value, type, ...(isOfNewsletter(type) ? {} : { newsletter_id: null }) })}
      />
      {isOfNewsletter(value.type) && (
        <NewsletterSelect
          value={value.newsletter_id ?? null}
          error={faults['newsletter_id']}
          readOnly={readOnly}
          onChange={(id) => onChange({ ...value, newsletter_id: id })}
        />
      )}
      {filter.map((condition, index) => (
        // Conditions have no id; they are changed in place, so the position names one.
        <fieldset key={index} className={classes['filter']}>
          <legend>{index === 0 ? 'Only when' : 'and when'}</legend>
          <ConditionInput
            value={condition}
            faultOf={(field) => faults[`filter[${index}].${field}`]}
            readOnly={readOnly}
            onChange={(change) => setFilter(filter.map((one, at) => (at === index ? { ...one, ...change } : one)))}
          />
          {!readOnly && (
            <ActionIcon
              variant="subtle"
              aria-label={`Remove condition ${index + 1}`}
              onClick={() => setFilter(filter.filter((_, at) => at !== index))}
            >
              <X size={15} />
            </ActionIcon>
          )}
        </fieldset>
      ))}
      {!readOnly && (
        <Button
          className={classes['small'] ?? ''}
          variant="subtle"
          size="xs"
          leftSection={<Plus size={14} />}
          onClick={() => setFilter([...filter, FRESH])}
        >
          Add a condition
        </Button>
      )}
    </div>
  );
}

interface NewsletterProps {
  value: string | null;
  error: string | undefined;
  readOnly: boolean;
  onChange: (id: string | null) => void;
}

function NewsletterSelect({ value, error, readOnly, onChange }: NewsletterProps) {
  const { data = [] } = useQuery(allNewsletters);
  const named = data.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = value === null || named.some((one) => one.value === value);
  return (
    <Select
      label="Newsletter"
      data={[{ value: ANY, label: 'Every newsletter' }, ...named, ...(isKnown ? [] : [{ value, label: value }])]}
      value={value ?? ANY}
      onChange={(next) => onChange(next === null || next === ANY ? null : next)}
      error={error}
      readOnly={readOnly}
      searchable
      allowDeselect={false}
    />
  );
}
