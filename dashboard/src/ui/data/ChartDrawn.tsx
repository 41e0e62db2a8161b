import { Area, Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatShort } from '../../lib/number.ts';
import classes from './Chart.module.css';
import type { ChartProps } from './chart-props.ts';

const TICK = { fontSize: 11, fill: 'var(--ph-text-3)' };
const MARGIN = { top: 8, right: 8, bottom: 0, left: -12 };

/** Loaded by `Chart.tsx` only: this file brings the drawing library. */
// oxlint-disable-next-line import/no-default-export -- React.lazy takes the default export
export default function ChartDrawn({ points, series, kind = 'area', stacked = false, format, height }: ChartProps) {
  const data = points.map(({ label, values }) => ({ label, ...values }));
  return (
    <ResponsiveContainer width="100%" height={height ?? 220}>
      {/* On a phone, 90 days leave a bar one pixel: the usual gap of four would leave it none. */}
      <ComposedChart data={data} margin={MARGIN} barGap={0} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--ph-line)" />
        <XAxis
          dataKey="label"
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--ph-line)' }}
          minTickGap={32}
          // The last point of a line is at the edge: where its time has no room, every second one would go away, too.
          interval={kind === 'bar' ? 'equidistantPreserveStart' : 'preserveEnd'}
        />
        <YAxis
          tick={TICK}
          tickLine={false}
          axisLine={false}
          tickFormatter={formatShort}
          allowDecimals={false}
          width={48}
        />
        <Tooltip
          cursor={{ stroke: 'var(--ph-line-strong)', fill: 'var(--ph-hover)' }}
          content={({ active, payload, label }) =>
            active !== true ? null : (
              <div className={classes['tip']}>
                <div className={classes['tipTitle']}>{label}</div>
                {payload.map((entry) => (
                  <div key={String(entry.dataKey)} className={classes['tipRow']}>
                    <span style={{ background: entry.color }} />
                    {entry.name}
                    <b>{(format ?? formatShort)(Number(entry.value))}</b>
                  </div>
                ))}
              </div>
            )
          }
        />
        {series.map(({ id, name, color }) => {
          const shared = { dataKey: id, name, isAnimationActive: false, ...(stacked ? { stackId: 'all' } : {}) };
          if (kind === 'bar') return <Bar key={id} {...shared} fill={color} radius={[2, 2, 0, 0]} maxBarSize={28} />;
          if (kind === 'line') return <Line key={id} {...shared} stroke={color} strokeWidth={1.5} dot={false} />;
          return <Area key={id} {...shared} stroke={color} strokeWidth={1.5} fill={color} fillOpacity={0.1} />;
        })}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
