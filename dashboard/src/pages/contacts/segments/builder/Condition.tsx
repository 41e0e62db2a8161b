import { ActionIcon, Select, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import classes from './builder.module.css';
import { fieldOptions, kindOf, OPS, splitField, withField } from './filter-fields.ts';
import type { ConditionNode } from './filter-tree.ts';
import { MailingPicker } from './MailingPicker.tsx';
import type { AllNames } from './use-names.ts';
import { ConditionValue } from './ConditionValue.tsx';

interface Props {
  node: ConditionNode;
  place: string;
  names: AllNames;
  segmentId: string | undefined;
  fault: string | undefined;
  readOnly: string | undefined;
  onChange: (node: ConditionNode) => void;
  onRemove: () => void;
}

/** One condition: its field, the operation, and the value that its type takes. */
export function Condition({ node, place, names, segmentId, fault, readOnly, onChange, onRemove }: Props) {
  const { properties } = names;
  const { base, id } = splitField(node.field);
  const kind = kindOf(node.field, properties);
  const options = fieldOptions(properties);
  const isKnown = base === '' || options.some(({ items }) => items.some(({ value }) => value === base));
  const of = `of condition ${place}`;
  const setId = (next: string | null) => onChange({ ...node, field: `${base}${next ?? ''}` });
  const shared = { size: 'xs' as const, readOnly: readOnly !== undefined, allowDeselect: false };
  return (
    <div className={classes['condition']} role="group" aria-label={`Condition ${place}`} data-node={node.id}>
      <div className={classes['fields']}>
        <Select
          {...shared}
          className={classes['field']}
          aria-label={`Field ${of}`}
          placeholder="Choose a field"
          data={isKnown ? options : [...options, { group: 'Not here', items: [{ value: base, label: base }] }]}
          value={base === '' ? null : base}
          onChange={(field) => onChange(withField(node, field ?? '', properties))}
          searchable
          maxDropdownHeight={320}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        />
        {kind === 'event' && (
          <TextInput
            className={classes['value']}
            size="xs"
            aria-label={`Event ${of}`}
            placeholder="order.paid"
            maxLength={100}
            spellCheck={false}
            readOnly={readOnly !== undefined}
            value={id}
            onChange={(event) => setId(event.currentTarget.value.trim())}
          />
        )}
        {node.field !== '' && (
          <Select
            {...shared}
            className={classes['op']}
            aria-label={`Comparison ${of}`}
            data={[...OPS[kind]]}
            value={node.op}
            onChange={(op) => onChange({ ...node, op: op ?? '' })}
          />
        )}
        {(kind === 'list' || kind === 'segment') && (
          <Select
            {...shared}
            className={classes['value']}
            aria-label={`${kind === 'list' ? 'List' : 'Segment'} ${of}`}
            placeholder={`Choose a ${kind}`}
            data={namedOptions(kind === 'list' ? names.lists : names.segments, id, segmentId)}
            value={id === '' ? null : id}
            onChange={setId}
            searchable
          />
        )}
        {kind === 'send' && <MailingPicker of={of} id={id} onChange={setId} readOnly={readOnly !== undefined} />}
        <ConditionValue node={node} kind={kind} of={of} readOnly={readOnly !== undefined} onChange={onChange} />
      </div>
      {readOnly === undefined && (
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove condition ${place}`} onClick={onRemove}>
          <X size={14} />
        </ActionIcon>
      )}
      {fault !== undefined && (
        <p className={classes['fault']} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

/** The chosen one stays even when it is deleted, so that it can be seen and replaced. */
function namedOptions(all: readonly { id: string; name: string }[], chosen: string, own: string | undefined) {
  const options = all.filter(({ id }) => id !== own).map(({ id, name }) => ({ value: id, label: name }));
  const isGone = chosen !== '' && !options.some(({ value }) => value === chosen);
  return isGone ? [...options, { value: chosen, label: 'Deleted' }] : options;
}
