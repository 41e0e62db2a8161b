import { useMemo } from 'react';
import { counted } from '../../lib/number.ts';
import { DEFAULT_VIEW } from '../../lib/use-preview-view.ts';
import { MailFrame } from '../mail-preview/MailFrame.tsx';
import { layoutDiff } from './layout-diff.ts';
import classes from './writing.module.css';

interface Props {
  mine: string;
  theirs: string;
}

const VIEW = { ...DEFAULT_VIEW, width: 'full' } as const;
const NAMED_MAX = 3;

/** Two htmls with the same words: each as a reader sees it, with an outline around the parts that differ. */
export function TwoLayouts({ mine, theirs }: Props) {
  const diff = useMemo(() => layoutDiff(mine, theirs), [mine, theirs]);
  if (diff.looksSame)
    return <p className={classes['subject']}>The words and the layout are the same. Only the code differs.</p>;
  return (
    <>
      <p className={classes['subject']}>
        The words of the text are the same, and its layout differs. {outlined(diff.parts)}
      </p>
      <div className={classes['layouts']}>
        <Layout name="Yours" html={diff.mine} />
        <Layout name="Theirs" html={diff.theirs} />
      </div>
    </>
  );
}

const Layout = ({ name, html }: { name: string; html: string }) => (
  <div>
    <h2>{name}</h2>
    <div className={classes['layout']}>
      <MailFrame html={html} label={`${name}, with the differing parts outlined`} view={VIEW} />
    </div>
  </div>
);

/** The parts by their first words. */
function outlined(parts: readonly string[]): string {
  if (parts.length === 0) return 'An outline shows where.';
  const named = parts.slice(0, NAMED_MAX).map((words) => `“${words}”`);
  const more = parts.length - named.length;
  return `Outlined: ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'more part')}` : ''}.`;
}
