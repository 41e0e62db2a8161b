import { ChevronsUpDown, X } from 'lucide-react';
import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { connection } from '../../lib/connection.ts';
import { SOON_MS } from '../../lib/lazy-part.tsx';
import { ClosedCombobox } from '../ClosedCombobox.tsx';
import { toastError } from '../toasts.tsx';
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
 * One choice of a few; nothing chosen means all. Its choices are loaded soon after the page, and take the place of a
 * field that looks the same when a mouse or the focus comes to it: drawing those of three filters takes 50 ms, 200 ms
 * of a phone. A mouse finds them before it is pressed. A click or a key before they are loaded opens them later.
 */
export function SelectFilter(props: SelectFilterProps) {
  const { label, value, options, onChange } = props;
  const field = useRef<HTMLInputElement>(null);
  const isAsked = useRef(false);
  const [begins, setBegins] = useState<Begins>();
  const take = () => setBegins({ withFocus: document.activeElement === field.current, isOpen: isAsked.current });
  useEffect(() => {
    const timer = setTimeout(() => void loadChoices().catch(() => undefined), SOON_MS); // asking for it tries again
    return () => clearTimeout(timer);
  }, []);
  // A browser keeps a file that it could not load as one that is not there, until the page is loaded anew.
  const failed = () => {
    isAsked.current = false;
    toastError(new Error(`the choices of ${label} could not be loaded. Reload the page to try again.`));
  };
  const open = () => {
    isAsked.current = true;
    if (Choices !== undefined) take();
    else void loadChoices().then(take, failed);
  };
  // The focus that follows takes the field away, perhaps before the button is let go: no click would come then.
  const onMouseDown = ({ button }: MouseEvent) => {
    if (button === 0) isAsked.current = true;
  };
  const onPointerEnter = ({ pointerType }: PointerEvent) => {
    if (Choices !== undefined && pointerType === 'mouse') flushSync(take);
  };
  const onFocus = () => {
    if (Choices !== undefined) take();
    else void loadChoices().then(take, () => undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!OPENS.has(event.key)) return;
    event.preventDefault();
    open();
  };
  if (begins !== undefined && Choices !== undefined) return <Choices {...props} begins={begins} />;
  return (
    <ClosedCombobox
      ref={field}
      className={classes['select']}
      size="xs"
      aria-label={label}
      placeholder={label}
      value={options.find((one) => one.value === value)?.label ?? ''}
      rightSection={<Marks onClear={value === undefined ? undefined : () => onChange(undefined)} />}
      data-set={value === undefined ? undefined : true}
      onMouseDown={onMouseDown}
      onClick={open}
      onFocus={onFocus}
      onPointerEnter={onPointerEnter}
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
