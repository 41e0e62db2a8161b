import { Button } from '@mantine/core';
import { CopyButton } from '../CopyButton.tsx';
import { Notice } from '../Notice.tsx';
import classes from './writing.module.css';

interface Props {
  /** Its subject or name. */
  title: string;
  html: string;
  disabled: boolean;
  onTake: () => void;
  onPutAway: () => void;
}

/** The person's own version after they took that of somebody else: in this browser until they put it away. */
export function GivenUp({ title, html, disabled, onTake, onPutAway }: Props) {
  return (
    <Notice
      tone="info"
      action={
        <span className={classes['choices']}>
          <CopyButton value={html} label="Copy the HTML of your version" />
          <Button variant="default" size="xs" disabled={disabled} onClick={onTake}>
            Use your version
          </Button>
          <Button variant="subtle" size="xs" onClick={onPutAway}>
            Discard it
          </Button>
        </span>
      }
    >
      You have their version now. Yours, “{title}”, is kept in this browser until you discard it.
    </Notice>
  );
}
