import { ActionIcon, Button } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { AutomationCondition, AutomationTrigger } from '../../api/generated/types.gen.ts';
import classes from './automations.module.css';
import { ConditionInput } from './ConditionInput.tsx';
import { EventTypeInput } from './EventTypeInput.tsx';
import { ListSelect, NewsletterSelect } from './AudienceSelect.tsx';
import { isOfList, isOfNewsletter } from './triggers.ts';

interface Props {
  label: string;
  value: AutomationTrigger;
  /** By the fields of a trigger: `type`, `newsletter_id`, `filter[0].value`. */
  faults: Readonly<Record<string, string>>;
  readOnly: boolean;
  starts?: boolean;
  onChange: (value: AutomationTrigger) => void;
}

const FRESH: AutomationCondition = { field: '', op: 'equals', value: '' };

/** Without the limits that this kind of event does not have. */
const limited = (trigger: AutomationTrigger): AutomationTrigger => ({
  ...trigger,
  ...(isOfNewsletter(trigger.type) ? {} : { newsletter_id: null }),
  ...(isOfList(trigger.type) ? {} : { list_id: null }),
});

/** An event, the newsletter or list that it is limited to, and the conditions that hold for it. */
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
        onChange={(type) => onChange(limited({ ...value, type }))}
      />
      {isOfNewsletter(value.type) && (
        <NewsletterSelect
          any="Every newsletter"
          value={value.newsletter_id ?? ''}
          error={faults['newsletter_id']}
          readOnly={readOnly}
          onChange={(id) => onChange({ ...value, newsletter_id: id || null })}
        />
      )}
      {isOfList(value.type) && (
        <ListSelect
          any="Every list"
          value={value.list_id ?? ''}
          error={faults['list_id']}
          readOnly={readOnly}
          onChange={(id) => onChange({ ...value, list_id: id || null })}
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
