import { TextInput } from '@mantine/core';
import { ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { lazyPart, SOON_MS } from '../../lib/lazy-part.tsx';
import type { ZoneChoice } from '../../lib/zone.ts';

export interface ZoneFieldProps {
  label: string;
  description?: string;
  value: string;
  /** A choice always leaves one. */
  onChange: (zone: string) => void;
  /** A choice of this field alone, beside the zones. */
  own?: ZoneChoice;
  error?: ReactNode;
  readOnly?: boolean;
}

const Choices = lazyPart<ZoneFieldProps & { withFocus: boolean }>(() =>
  import('./ZoneChoices.tsx').then((file) => file.ZoneChoices),
);

/**
 * A time zone. Its choices are 35 kB of code and 400 names, which few people change: they come soon after the page, or
 * with a mouse or the focus, and take the place of a field that looks the same.
 */
export function ZoneField(props: ZoneFieldProps) {
  const { own, onChange: _, ...shown } = props;
  const field = useRef<HTMLInputElement>(null);
  const choicesId = useId(); // of what is not there yet
  const [loaded, setLoaded] = useState<{ withFocus: boolean }>();
  // When they cannot be loaded, the field stays as it is, and the next focus tries again.
  const load = () =>
    void Choices.load().then(
      () => setLoaded({ withFocus: document.activeElement === field.current }),
      () => undefined,
    );
  useEffect(() => {
    const timer = setTimeout(load, SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  if (loaded !== undefined) return <Choices {...props} {...loaded} />;
  return (
    <TextInput
      ref={field}
      {...shown}
      value={own?.value === props.value ? own.label : props.value}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-controls={choicesId}
      readOnly
      pointer
      rightSection={<ChevronsUpDown size={14} strokeWidth={1.6} aria-hidden="true" />}
      rightSectionPointerEvents="none"
      onFocus={load}
      onPointerEnter={load}
    />
  );
}
