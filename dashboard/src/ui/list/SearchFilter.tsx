import { ActionIcon, TextInput } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../../lib/shortcuts.ts';
import classes from './ListPage.module.css';

const WAIT_MS = 250;

interface SearchProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** false for a second one on the page, which `/` does not reach. */
  isMain?: boolean;
}

/** Searches a quarter of a second after the last key. `/` moves the focus here. */
export function SearchFilter({ label, value = '', onChange, isMain = true }: SearchProps) {
  const [typed, setTyped] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  // The address changed by another way: "back", or a filter that was removed.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      onChange(wanted === '' ? undefined : wanted);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  useKeys({
    '/': (event) => {
      if (!isMain) return;
      event.preventDefault();
      input.current?.focus();
    },
  });
  return (
    <TextInput
      ref={input}
      className={isMain ? classes['search'] : classes['select']}
      size="xs"
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} />}
      rightSection={
        typed === '' ? undefined : (
          <ActionIcon variant="subtle" size={20} aria-label="Clear the search" onClick={() => setTyped('')}>
            <X size={13} />
          </ActionIcon>
        )
      }
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
