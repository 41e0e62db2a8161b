import { Search } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import classes from './at-once.module.css';

const Palette = lazyDialog(() => import('./Palette.tsx').then((file) => file.Palette));

const HINT = 'Go to a page, or find an id, an address or a subject';

/**
 * The palette, whose code comes after the page. This field takes what is typed until then, so that no key is lost and
 * none acts on the page behind. Enter does nothing here: nobody sees yet which entry it would be for.
 */
export function PaletteAtOnce({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [isReady, setReady] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!opened) return undefined;
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      setReady(false);
      setQuery('');
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [opened]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    if (event.key === 'Tab') event.preventDefault();
  };
  return (
    <>
      {opened && (
        // The mark also keeps the focus here when a page arrives (`app/shell/focus-on-navigation.ts`).
        <div data-palette>
          {!isReady && (
            <div className={classes['early']}>
              <button type="button" aria-label="Close the search" tabIndex={-1} onClick={onClose} />
              <div className={classes['field']}>
                <Search size={16} />
                <input
                  ref={field}
                  aria-label="Search"
                  placeholder={HINT}
                  value={query}
                  onChange={(event) => setQuery(event.currentTarget.value)}
                  onKeyDown={onKeyDown}
                  // Escape is not for a dialog below.
                  data-mantine-stop-propagation
                />
              </div>
            </div>
          )}
        </div>
      )}
      <Palette
        opened={opened}
        onClose={onClose}
        hint={HINT}
        query={query}
        onQuery={setQuery}
        onReady={() => setReady(true)}
      />
    </>
  );
}
