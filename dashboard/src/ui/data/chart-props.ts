export interface ChartPoint {
  at: string;
  /** As it stands on the axis, in the zone that was asked for. */
  label: string;
  values: Readonly<Record<string, number>>;
}

export interface ChartSeries {
  id: string;
  name: string;
  /** A colour of `tokens.css`: `var(--ph-dot-ok)`. */
  color: string;
}

export interface ChartProps {
  /** The content of the chart: "Emails by day". */
  label: string;
  points: readonly ChartPoint[];
  series: readonly ChartSeries[];
  kind?: 'area' | 'bar' | 'line';
  stacked?: boolean;
  height?: number;
  format?: (value: number) => string;
}
