import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string, how?: { range?: boolean }) => void;
  setAll: (on: boolean) => void;
  clear: () => void;
}

/** The chosen rows of one page. Rows that are no longer shown are no longer chosen. */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const ids = new Set(shown.filter((id) => chosen.has(id)));

  const toggle = (id: string, { range = false } = {}) => {
    const next = new Set(ids);
    const from = last === undefined ? -1 : shown.indexOf(last);
    const to = shown.indexOf(id);
    const isOn = !ids.has(id);
    const span = range && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    for (const each of span) {
      if (isOn) next.add(each);
      else next.delete(each);
    }
    setChosen(next);
    setLast(id);
  };
  return {
    ids,
    toggle,
    setAll: (on) => setChosen(new Set(on ? shown : [])),
    clear: () => setChosen(new Set()),
  };
}
