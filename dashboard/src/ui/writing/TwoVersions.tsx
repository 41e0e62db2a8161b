import { Button, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { CopyButton } from '../CopyButton.tsx';
import { Notice } from '../Notice.tsx';
import { textOfHtml } from './text-of-html.ts';
import { TwoLayouts } from './TwoLayouts.tsx';
import { type Piece, wordDiff } from './word-diff.ts';
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

const FIELDS: readonly { label: string; textOf: (written: Written) => string }[] = [
  { label: 'Subject', textOf: ({ subject }) => subject },
  { label: 'Preheader', textOf: ({ preheader }) => preheader },
  { label: 'Text', textOf: ({ html }) => textOfHtml(html) },
];

/** Both versions, with the words that only one of them has; the person chooses which one stands. */
export function TwoVersions({ noun, mine, theirs, onMine, onTheirs }: Props) {
  return (
    <section aria-label="Two versions" className={`${classes['stack']} ${classes['conflict']}`}>
      <Notice tone="warn">Somebody else saved this {noun} while you wrote. Choose the version that stands.</Notice>
      <Differences mine={mine} theirs={theirs} />
      <div className={classes['choices']}>
        <Button onClick={onMine}>Keep yours</Button>
        <Button variant="default" onClick={onTheirs}>
          Take theirs
        </Button>
        <CopyButton value={mine.html} label="Copy the HTML of yours" />
        <CopyButton value={theirs.html} label="Copy the HTML of theirs" />
      </div>
    </section>
  );
}

function Differences({ mine, theirs }: Pick<Props, 'mine' | 'theirs'>) {
  const fields = useMemo(
    () =>
      FIELDS.map(({ label, textOf }) => ({ label, mine: textOf(mine), theirs: textOf(theirs) }))
        .filter((field) => field.mine !== field.theirs)
        .map((field) => ({ ...field, pieces: wordDiff(field.theirs, field.mine) })),
    [mine, theirs],
  );
  return (
    <>
      {fields.length > 0 && (
        <p className={classes['legend']}>
          <ins>Only in yours</ins> <del>Only in theirs</del>
        </p>
      )}
      {fields.map(({ label, pieces, ...field }) => (
        <div key={label} className={classes['version']}>
          <h2>{label}</h2>
          {pieces === null ? (
            <>
              <p className={classes['marked']}>
                <ins>{field.mine}</ins>
              </p>
              <p className={classes['marked']}>
                <del>{field.theirs}</del>
              </p>
            </>
          ) : (
            <p className={classes['marked']}>
              {pieces.map((piece, index) => (
                // The pieces never change in place, so the position names one.
                <Marked key={index} {...piece} />
              ))}
            </p>
          )}
        </div>
      ))}
      {mine.html !== theirs.html && fields.every(({ label }) => label !== 'Text') && (
        <TwoLayouts mine={mine.html} theirs={theirs.html} />
      )}
    </>
  );
}

function Marked({ of, text }: Piece) {
  if (of === 'both') return text;
  const [Tag, spoken] = of === 'mine' ? (['ins', 'Only in yours: '] as const) : (['del', 'Only in theirs: '] as const);
  return (
    <Tag>
      <VisuallyHidden>{spoken}</VisuallyHidden>
      {text}
    </Tag>
  );
}
