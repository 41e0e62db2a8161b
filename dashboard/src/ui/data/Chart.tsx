import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { connection } from '../../lib/connection.ts';
import { useIdle, useNear } from '../../lib/use-idle.ts';
import classes from './Chart.module.css';
import type { ChartProps } from './chart-props.ts';

const Drawn = lazy(() => connection.load(() => import('./ChartDrawn.tsx')));

/**
 * Numbers over time, as a picture and, for a screen reader and on request, as a table. The drawing library is a chunk
 * of its own, which the first chart of a visit loads after the numbers beside it are shown, when its place is about to
 * be seen: drawing it is more work than the rest of a page.
 */
export function Chart(props: ChartProps) {
  const { label, points, series, height = 220 } = props;
  const format = props.format ?? String;
  const isIdle = useIdle();
  const [place, isNear] = useNear<HTMLDivElement>();
  return (
    <figure className={classes['figure']}>
      <figcaption className={classes['caption']}>
        <ul className={classes['legend']} aria-hidden="true">
          {series.map(({ id, name, color }) => (
            <li key={id}>
              <span style={{ background: color }} />
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} aria-hidden="true" style={{ height }}>
        <Suspense fallback={<Skeleton height={height} />}>
          {isIdle && isNear ? <Drawn {...props} height={height} /> : <Skeleton height={height} />}
        </Suspense>
      </div>
      <details className={classes['details']}>
        <summary>{label}, as a table</summary>
        {/* Scrolled by keyboard, too. */}
        <div className={classes['scroll']} role="region" aria-label={`${label}, as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map(({ id, name }) => (
                  <th key={id} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.at}>
                  <th scope="row">{point.label}</th>
                  {series.map(({ id }) => (
                    <td key={id}>{format(point.values[id] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
