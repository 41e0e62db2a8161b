import { Checkbox, Input, SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import classes from './keys.module.css';
import { ALL_SCOPES, isCovered, PRESETS, SCOPE_GROUPS } from './scopes.ts';

interface Props {
  value: readonly string[];
  onChange: (scopes: string[]) => void;
  error?: React.ReactNode;
}

const CUSTOM = 'custom';

/** Presets for the usual cases, and a box for each scope. A box that another one includes is checked and says so. */
export function ScopeChecklist({ value, onChange, error }: Props) {
  const id = useId();
  const preset = PRESETS.find(
    ({ scopes }) => scopes.length === value.length && scopes.every((scope) => value.includes(scope)),
  );
  const toggle = (scope: string) => {
    const given = value.includes('*') ? ALL_SCOPES : value;
    onChange(given.includes(scope) ? given.filter((each) => each !== scope) : [...given, scope]);
  };
  return (
    <div>
      <SegmentedControl
        aria-label="Preset"
        size="xs"
        data={[...PRESETS.map((each) => ({ value: each.id, label: each.label })), { value: CUSTOM, label: 'Custom' }]}
        value={preset?.id ?? CUSTOM}
        onChange={(next) => {
          const wanted = PRESETS.find((each) => each.id === next);
          if (wanted !== undefined) onChange([...wanted.scopes]);
          else if (value.includes('*')) onChange([...ALL_SCOPES]);
        }}
      />
      <p className={classes['hint']}>{preset?.description ?? 'Exactly what is checked below.'}</p>
      <div className={classes['scopes']} role="group" aria-label="Scopes" aria-describedby={error ? id : undefined}>
        {SCOPE_GROUPS.map((group) => (
          <div key={group.label}>
            <h3 className={classes['groupTitle']}>{group.label}</h3>
            {group.scopes.map(({ name, label, verbs }) => (
              <div key={name} className={classes['row']}>
                <span>{label}</span>
                {verbs.map((verb) => {
                  const scope = `${name}:${verb}`;
                  const isIncluded = !value.includes(scope) && isCovered(value, scope) && !value.includes('*');
                  return (
                    <Checkbox
                      key={verb}
                      size="xs"
                      label={verb}
                      aria-label={`${label}: ${verb}${isIncluded ? ' (write includes it)' : ''}`}
                      checked={isCovered(value, scope)}
                      disabled={isIncluded}
                      onChange={() => toggle(scope)}
                    />
                  );
                })}
              </div>
            ))}
          </div>
        ))}
      </div>
      {error && <Input.Error id={id}>{error}</Input.Error>}
    </div>
  );
}
