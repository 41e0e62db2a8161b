import { ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { lazyPart, SOON_MS } from '../../lib/lazy-part.tsx';
import type { ZoneChoice } from '../../lib/zone.ts';
import { ClosedCombobox } from '../ClosedCombobox.tsx';

export interface ZoneFieldProps {
  label: string;
  description?: string;
  value: string;
  /** Hears of another zone. The field cannot be emptied. */
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
    <ClosedCombobox
      ref={field}
      {...shown}
      value={own?.value === props.value ? own.label : props.value}
      rightSection={<ChevronsUpDown size={14} strokeWidth={1.6} aria-hidden="true" />}
      onFocus={load}
      onPointerEnter={load}
    />
  );
}
