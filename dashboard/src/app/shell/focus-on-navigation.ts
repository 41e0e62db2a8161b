import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** In the tab, like the router's own store of scroll positions: a reload of a record keeps the way back. */
const STORE = 'posthorn.places';
/** The entries of the history that a person may still go back to by hand. */
const PLACES_MAX = 100;
/** Each of these says that a person goes on by themselves. */
const ACTS = ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const;

/** The row of a list that had the focus when an entry of the history was left. */
interface Place {
  row: string;
  /** Among the rows: another may have taken its place. */
  index: number;
  /** How far the window was scrolled. */
  top: number;
}

/**
 * Moves the focus to the title of the new page, which a screen reader then reads. A list that is come back to gives it
 * to the row that was left, at the place where it was, so that `j` and Tab go on from there.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    return keepPlaces(router);
  }, [router]);
}

function keepPlaces(router: AnyRouter): () => void {
  const places = storedPlaces();
  let stopReturn: () => void = () => undefined;
  const stopLeaving = router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    stopReturn();
    const key = fromLocation?.state.__TSR_key;
    if (key === undefined || !pathChanged) return;
    const place = placeOfFocus();
    places.delete(key);
    if (place !== undefined) places.set(key, place);
    store(places);
  });
  const stopArriving = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged) return;
    if (document.querySelector('[data-palette]') !== null) return; // a person who types goes on
    document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true });
    const place = places.get(toLocation.state.__TSR_key ?? '');
    if (place !== undefined) stopReturn = returnTo(place);
  });
  return () => {
    stopReturn();
    stopLeaving();
    stopArriving();
  };
}

function placeOfFocus(): Place | undefined {
  const row = document.activeElement?.closest<HTMLTableRowElement>('tr[data-row]');
  const id = row?.dataset['row'];
  if (row === null || row === undefined || id === undefined) return undefined;
  return { row: id, index: row.sectionRowIndex, top: window.scrollY };
}

/**
 * Waits for the rows, which are mostly there at once, and are read again after a reload or ten minutes. The router has
 * scrolled a page that may have been too short then.
 */
function returnTo({ row, index, top }: Place): () => void {
  const ended = new AbortController();
  const changes = new MutationObserver(() => look());
  const stop = () => {
    ended.abort();
    changes.disconnect();
  };
  const look = () => {
    const rows = [...document.querySelectorAll<HTMLElement>('main table[aria-busy=false] tr[data-row]')];
    const there = rows.find((one) => one.dataset['row'] === row) ?? rows[Math.min(index, rows.length - 1)];
    if (there === undefined) return;
    stop();
    window.scrollTo({ top });
    there.querySelector<HTMLElement>('[data-row-link]')?.focus();
  };
  for (const act of ACTS)
    document.addEventListener(act, stop, { capture: true, passive: true, once: true, signal: ended.signal });
  changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
  look();
  return stop;
}

function storedPlaces(): Map<string, Place> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORE) ?? '[]') as [string, Place][]); // as `store` wrote it
  } catch {
    return new Map(); // the browser has no store, or somebody else wrote into it
  }
}

function store(places: Map<string, Place>): void {
  for (const key of [...places.keys()].slice(0, -PLACES_MAX)) places.delete(key);
  try {
    sessionStorage.setItem(STORE, JSON.stringify([...places]));
  } catch {
    // The place is kept until the next reload.
  }
}
