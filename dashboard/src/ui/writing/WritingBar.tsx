import { SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { errorSentence } from '../../lib/api-error.ts';
import type { SaveState } from '../../lib/drafts/autosave.ts';
import classes from './writing.module.css';

const WORDS: Readonly<Record<SaveState['kind'], string>> = {
  saved: 'Saved',
  unsaved: 'Not saved yet',
  saving: 'Saving …',
  offline: 'Not saved: the server cannot be reached. Your text is kept in this browser, and saving is tried again.',
  refused: 'Not saved',
  conflict: 'Not saved: somebody else has changed this',
};
const MODES = [
  { value: 'write', label: 'Write' },
  { value: 'preview', label: 'Preview' },
];

interface Props {
  /** "issue", "broadcast". */
  noun: string;
  view: string | undefined;
  onView: (view: string | undefined) => void;
  state: SaveState;
}

/** Write or look at it, and whether it is saved. */
export function WritingBar({ noun, view, onView, state }: Props) {
  const said =
    state.kind === 'refused'
      ? `${WORDS.refused}: ${errorSentence(state.error)}`
      : `${WORDS[state.kind]}${state.kind === 'conflict' ? ` ${noun}.` : ''}`;
  const spoken = useSpoken(state, said);
  return (
    <div className={classes['bar']}>
      <SegmentedControl
        size="xs"
        aria-label="View"
        data={MODES}
        value={view === 'preview' ? 'preview' : 'write'}
        onChange={(next) => onView(next === 'write' ? undefined : next)}
      />
      <span className={classes['state']}>{said}</span>
      <VisuallyHidden role="status">{spoken}</VisuallyHidden>
    </div>
  );
}

/** Trouble is announced, and its end. The rest changes with every pause of the typing, and would only disturb. */
function useSpoken(state: SaveState, said: string): string {
  const isTrouble = state.kind === 'offline' || state.kind === 'refused' || state.kind === 'conflict';
  const [wasTrouble, setTrouble] = useState(false);
  if (isTrouble && !wasTrouble) setTrouble(true);
  if (isTrouble) return said;
  return wasTrouble && state.kind === 'saved' ? 'Your text is saved again.' : '';
}
