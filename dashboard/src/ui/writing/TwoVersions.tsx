import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../CopyButton.tsx';
import { Notice } from '../Notice.tsx';
import classes from './writing.module.css';

interface Written {
  subject: string;
  preheader: string;
  html: string;
}

interface Props {
  /** "issue", "broadcast". */
  noun: string;
  mine: Written;
  theirs: Written;
  onMine: () => void;
  onTheirs: () => void;
}

/** Both versions side by side; the person chooses which one stands. */
export function TwoVersions({ noun, mine, theirs, onMine, onTheirs }: Props) {
  return (
    <section aria-label="Two versions" className={`${classes['stack']} ${classes['conflict']}`}>
      <Notice tone="warn">Somebody else saved this {noun} while you wrote. Choose the version that stands.</Notice>
      <div className={classes['versions']}>
        <Version title="Yours" written={mine}>
          <Button onClick={onMine}>Keep yours</Button>
        </Version>
        <Version title="Theirs" written={theirs}>
          <Button variant="default" onClick={onTheirs}>
            Take theirs
          </Button>
        </Version>
      </div>
    </section>
  );
}

function Version({ title, written, children }: { title: string; written: Written; children: ReactNode }) {
  return (
    <div className={classes['stack']}>
      <h2>
        {title} <CopyButton value={written.html} label={`Copy the HTML of ${title.toLowerCase()}`} />
      </h2>
      <div className={classes['version']}>
        <p className={classes['subject']}>
          <span>Subject</span> {written.subject}
        </p>
        <p className={classes['subject']}>
          <span>Preheader</span> {written.preheader === '' ? 'None' : written.preheader}
        </p>
        <pre className={classes['text']}>{written.html}</pre>
      </div>
      <div>{children}</div>
    </div>
  );
}
