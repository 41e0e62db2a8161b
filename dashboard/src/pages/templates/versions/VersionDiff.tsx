import { VisuallyHidden } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Template } from '../../../api/generated/types.gen.ts';
import { ShowMore } from '../../../ui/ShowMore.tsx';
import { type DiffLine, lineDiff } from './line-diff.ts';
import classes from '../templates.module.css';

/** The fields of a version, as they are compared. */
export type Compared = Pick<
  Template,
  'subject' | 'preheader' | 'html' | 'text' | 'from' | 'reply_to' | 'layout' | 'variables' | 'samples'
>;

const FIELDS: readonly { label: string; textOf: (version: Compared) => string }[] = [
  { label: 'Subject', textOf: ({ subject }) => subject ?? '' },
  { label: 'Preheader', textOf: ({ preheader }) => preheader ?? '' },
  { label: 'HTML', textOf: ({ html }) => html ?? '' },
  { label: 'Text', textOf: ({ text }) => text ?? '' },
  { label: 'From', textOf: ({ from }) => from ?? '' },
  { label: 'Reply-To', textOf: ({ reply_to }) => reply_to.join('\n') },
  { label: 'Layout', textOf: ({ layout }) => layout ?? '' },
  { label: 'Variables', textOf: ({ variables }) => variables.map(variableWords).join('\n') },
  { label: 'Samples', textOf: ({ samples }) => samples.map((one) => JSON.stringify(one, null, 2)).join('\n') },
];

/** "name: string, required", "plan: string, else free". */
function variableWords({ key, type, required, fallback }: Compared['variables'][number]): string {
  const otherwise = fallback === null ? (required ? 'required' : 'may be missing') : `else ${valueWords(fallback)}`;
  return `${key}: ${type}, ${otherwise}`;
}

const valueWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** As many lines as a person reads at once. Two texts of 1 MB may differ in 50,000, which no browser draws in time. */
const STEP = 200;

/** The fields that differ, line by line. */
export function VersionDiff({ before, after }: { before: Compared; after: Compared }) {
  const changed = FIELDS.filter(({ textOf }) => textOf(before) !== textOf(after));
  if (changed.length === 0) return <p className={classes['note']}>Nothing differs.</p>;
  return (
    <div className={classes['fields']}>
      {changed.map(({ label, textOf }) => (
        <section key={label} className={classes['field']} aria-label={`Changes of ${label}`}>
          <h3>{label}</h3>
          <Lines before={textOf(before)} after={textOf(after)} label={`Changed lines of ${label}`} />
        </section>
      ))}
    </div>
  );
}

function Lines({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const [count, setCount] = useState(STEP);
  if (lines.every(({ kind }) => kind === 'skipped')) {
    return <p className={classes['note']}>Only the ends of lines differ.</p>;
  }
  return (
    <figure className={classes['lines']} style={{ margin: 0 }} aria-label={label}>
      <ol>
        {lines.slice(0, count).map((line, index) => (
          // The lines never change in place, so the position names one.
          <li key={index} data-kind={line.kind}>
            <Line {...line} />
          </li>
        ))}
      </ol>
      <div className={classes['rest']}>
        <ShowMore
          shown={count}
          total={lines.length}
          step={STEP}
          noun="lines"
          onMore={() => setCount((now) => now + STEP)}
        />
      </div>
    </figure>
  );
}

function Line({ kind, text }: DiffLine) {
  if (kind === 'skipped') return `… ${text}`;
  if (kind === 'same') {
    return (
      <>
        <span className={classes['sign']} />
        {text}
      </>
    );
  }
  const [Tag, sign, spoken] =
    kind === 'removed' ? (['del', '−', 'removed: '] as const) : (['ins', '+', 'added: '] as const);
  return (
    <>
      <span className={classes['sign']} aria-hidden="true">
        {sign}
      </span>
      <Tag>
        <VisuallyHidden>{spoken}</VisuallyHidden>
        {text}
      </Tag>
    </>
  );
}
