import { TextInput } from '@mantine/core';
import { ChevronsUpDown, X } from 'lucide-react';
import { type ComponentType, type KeyboardEvent, startTransition, useEffect, useId, useRef, useState } from 'react';
import { connection } from '../../lib/connection.ts';
import { SOON_MS } from '../../lib/lazy-part.tsx';
import classes from './ListPage.module.css';

export interface SelectFilterProps {
  label: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

export interface Begins {
  withFocus: boolean;
  isOpen: boolean;
}

let Choices: ComponentType<SelectFilterProps & { begins: Begins }> | undefined;

async function loadChoices(): Promise<void> {
  const file = await connection.load(() => import('./SelectChoices.tsx'));
  Choices = file.SelectChoices;
}

const OPENS = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp']);

/**
 * One choice of a few; nothing chosen means all. Until its choices are loaded, soon after the page, a field that looks
 * the same stands in their place. A click or a key loads them at once, and then opens them.
 */
export function SelectFilter(props: SelectFilterProps) {
  const { label, value, options, onChange } = props;
  const field = useRef<HTMLInputElement>(null);
  const choicesId = useId(); // of what is not there yet
  const isAsked = useRef(false);
  const [begins, setBegins] = useState<Begins | undefined>(Choices && { withFocus: false, isOpen: false });
  const bring = async () => {
    await loadChoices();
    const take = () => setBegins({ withFocus: document.activeElement === field.current, isOpen: isAsked.current });
    // Nobody waits: the choices of all filters are drawn in short turns.
    if (isAsked.current) take();
    else startTransition(take);
  };
  const isThere = begins !== undefined;
  useEffect(() => {
    if (isThere) return undefined;
    const timer = setTimeout(() => void bring().catch(() => undefined), SOON_MS); // asking for it tries again
    return () => clearTimeout(timer);
  });
  const open = () => {
    isAsked.current = true;
    void bring();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!OPENS.has(event.key)) return;
    event.preventDefault();
    open();
  };
  if (begins !== undefined && Choices !== undefined) return <Choices {...props} begins={begins} />;
  return (
    <TextInput
      ref={field}
      className={classes['select']}
      size="xs"
      aria-label={label}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls={choicesId}
      readOnly
      pointer
      placeholder={label}
      value={options.find((one) => one.value === value)?.label ?? ''}
      rightSection={<Marks onClear={value === undefined ? undefined : () => onChange(undefined)} />}
      rightSectionPointerEvents="none"
      data-set={value === undefined ? undefined : true}
      onClick={open}
      onKeyDown={onKeyDown}
    />
  );
}

/** As Mantine draws them in the field with the choices. */
const Marks = ({ onClear }: { onClear: (() => void) | undefined }) => (
  <span className={classes['marks']}>
    {onClear !== undefined && (
      <button type="button" tabIndex={-1} aria-hidden="true" onClick={onClear}>
        <X size={13} />
      </button>
    )}
    <ChevronsUpDown size={12} strokeWidth={1.6} aria-hidden="true" />
  </span>
);
