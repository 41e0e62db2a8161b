import { ActionIcon, Autocomplete, Input, Select, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import type { ContactProperty } from '../../api/generated/types.gen.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import type { PropertyType, TypedProperty } from './contact-form.ts';
import classes from './contacts.module.css';

interface Props {
  known: readonly ContactProperty[];
  value?: readonly TypedProperty[];
  onChange: (properties: readonly TypedProperty[]) => void;
  error?: React.ReactNode;
}

const TYPES: readonly { value: PropertyType; label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'date', label: 'Date' },
];

const BOOLEANS = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** Properties with their keys, types and values. The type of a key that the workspace knows is fixed. */
export function PropertyFields({ known, value: properties = [], onChange, error }: Props) {
  const rows = useRef<HTMLDivElement>(null);
  const change = (at: number, given: Partial<TypedProperty>) =>
    onChange(properties.map((one, index) => (index === at ? { ...one, ...given } : one)));
  const setKey = (at: number, key: string) => {
    const type = known.find((one) => one.key === key.trim())?.type;
    change(at, type === undefined || type === properties[at]?.type ? { key } : { key, type, text: '' });
  };
  const add = () => {
    onChange([...properties, { key: '', type: 'string', text: '' }]);
    requestAnimationFrame(() =>
      rows.current?.querySelector<HTMLInputElement>(`[data-row="${properties.length}"] input`)?.focus(),
    );
  };
  return (
    <Input.Wrapper
      label="Properties"
      labelElement="div"
      description="The first value of a key decides its type in the workspace."
      error={error}
    >
      <div className={classes['properties']} ref={rows}>
        {properties.map((property, at) => {
          const name = property.key.trim() === '' ? 'the new property' : property.key;
          const fixed = known.find((one) => one.key === property.key.trim());
          return (
            // Rows have no identity but their place: keys are typed here.
            <div className={classes['property']} key={at} data-row={at}>
              <Autocomplete
                size="xs"
                aria-label={`Key of ${name}`}
                placeholder="Key"
                data={known.map(({ key }) => key)}
                value={property.key}
                onChange={(key) => setKey(at, key)}
                spellCheck={false}
              />
              <Select
                size="xs"
                aria-label={`Type of ${name}`}
                data={[...TYPES]}
                value={property.type}
                // `data` has only types.
                onChange={(type) => change(at, { type: (type ?? 'string') as PropertyType, text: '' })}
                disabled={fixed !== undefined}
                allowDeselect={false}
              />
              <div className={classes['propertyValue']}>
                <Value property={property} label={`Value of ${name}`} onChange={(text) => change(at, { text })} />
              </div>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(properties.filter((_, index) => index !== at))}
              >
                <X size={14} />
              </ActionIcon>
            </div>
          );
        })}
        <div>
          <ActionButton variant="default" size="xs" leftSection={<Plus size={14} />} onClick={add}>
            Add a property
          </ActionButton>
        </div>
      </div>
    </Input.Wrapper>
  );
}

interface ValueProps {
  property: TypedProperty;
  label: string;
  onChange: (text: string) => void;
}

function Value({ property: { type, text }, label, onChange }: ValueProps) {
  if (type === 'boolean') {
    return (
      <Select
        size="xs"
        aria-label={label}
        placeholder="Yes or no"
        data={BOOLEANS}
        value={text === '' ? null : text}
        onChange={(next) => onChange(next ?? '')}
        allowDeselect={false}
      />
    );
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={type === 'date' ? '2026-11-23' : 'Value'}
      inputMode={type === 'number' ? 'decimal' : 'text'}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
