import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ChangedFields } from '../../../ui/data/ChangedFields.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import classes from '../scheduled.module.css';
import { type ContentValues, differencesOf } from './edit-form.ts';
import type { SavedEmail } from './use-content-form.ts';

interface Props {
  mine: ContentValues;
  theirs: SavedEmail;
  onMine: (over: SavedEmail) => void;
  onTheirs: (theirs: SavedEmail) => void;
}

/** Somebody else has saved: shows the fields that differ, and lets the person choose. */
export function ContentConflict({ mine, theirs, onMine, onTheirs }: Props) {
  return (
    <section aria-label="Two versions" className={classes['conflict']}>
      <Notice tone="warn">
        Somebody else changed this email while you wrote. Before is theirs, after is yours. Choose the version that
        stands.
      </Notice>
      <ChangedFields changes={differencesOf(mine, theirs.email)} />
      <div className={classes['choices']}>
        <ActionButton onClick={() => onMine(theirs)}>Keep yours</ActionButton>
        <ActionButton variant="default" onClick={() => onTheirs(theirs)}>
          Take theirs
        </ActionButton>
      </div>
    </section>
  );
}
