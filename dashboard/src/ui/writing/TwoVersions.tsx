import { Button, VisuallyHidden } from '@mantine/core';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import { CopyButton } from '../CopyButton.tsx';
import { Notice } from '../Notice.tsx';
import { ShowMore } from '../ShowMore.tsx';
import { textOfHtml } from './text-of-html.ts';
import { TwoLayouts } from './TwoLayouts.tsx';
import { type Passage, passagesOf, type Piece, wordsOf } from './word-diff.ts';
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

/** As many passages as a person reads at once; each has some paragraphs at most. */
const STEP = 20;

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
        <CopyButton value={mine.html}>Copy your HTML</CopyButton>
        <CopyButton value={theirs.html}>Copy their HTML</CopyButton>
      </div>
    </section>
  );
}

function Differences({ mine: written, theirs }: Pick<Props, 'mine' | 'theirs'>) {
  // A long text takes longer to compare than a key may wait.
  const mine = useDeferredValue(written);
  const [myTexts, theirTexts] = [useMemo(() => textsOf(mine), [mine]), useMemo(() => textsOf(theirs), [theirs])];
  const fields = useMemo(
    () =>
      FIELDS.flatMap(({ label }, at) => {
        const [my, their] = [myTexts[at] ?? '', theirTexts[at] ?? ''];
        return my === their ? [] : [{ label, ...passagesOf(their, my) }];
      }),
    [myTexts, theirTexts],
  );
  return (
    <>
      {fields.length > 0 && (
        <p className={classes['legend']}>
          <ins>Only in yours</ins> <del>Only in theirs</del>
        </p>
      )}
      {fields.map((field) => (
        <Field key={field.label} {...field} />
      ))}
      {mine.html !== theirs.html && fields.every(({ label }) => label !== 'Text') && (
        <TwoLayouts mine={mine.html} theirs={theirs.html} />
      )}
    </>
  );
}

const textsOf = (written: Written): string[] => FIELDS.map(({ textOf }) => textOf(written));

/** The passages in which a field differs, a few at first: two long texts may differ in thousands. */
function Field({ label, passages, tail }: { label: string; passages: readonly Passage[]; tail: string }) {
  const [count, setCount] = useState(STEP);
  return (
    <div className={classes['version']}>
      <h2>{label}</h2>
      <p className={classes['marked']}>
        {passages.slice(0, count).map((passage, index) => (
          // The passages never change in place, so the position names one.
          <Words key={index} {...passage} />
        ))}
        {count < passages.length ? ' …' : tail}
      </p>
      <ShowMore
        shown={count}
        total={passages.length}
        step={STEP}
        noun="passages"
        onMore={() => setCount((now) => now + STEP)}
      />
    </div>
  );
}

const Words = memo(function Words({ lead, theirs, mine }: Passage) {
  return (
    <>
      {lead}
      {wordsOf({ theirs, mine }).map((piece, index) => (
        // The pieces never change in place, so the position names one.
        <Marked key={index} {...piece} />
      ))}
    </>
  );
});

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
