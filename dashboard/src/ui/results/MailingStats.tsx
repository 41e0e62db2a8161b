import { formatCount } from '../../lib/number.ts';
import { Stat, StatRow } from '../data/Stat.tsx';
import { shareOfDelivered } from './mailing-states.ts';

interface Stats {
  total: number;
  delivered: number;
  opened: number;
  clicked: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
}

/** The counts of an issue or a broadcast, each with the address of its recipients. */
export function MailingStats({ stats, hrefOf }: { stats: Stats; hrefOf: (count: string) => string }) {
  const ofDelivered = (count: number) =>
    stats.delivered === 0 ? {} : { hint: `${shareOfDelivered(count, stats.delivered)} of delivered` };
  const stat = (label: string, name: keyof Stats, more: { hint?: string } = {}) => (
    <Stat label={label} value={formatCount(stats[name])} href={hrefOf(name)} {...more} />
  );
  return (
    <StatRow>
      {stat('Delivered', 'delivered', { hint: `of ${formatCount(stats.total)}` })}
      {stat('Opened', 'opened', ofDelivered(stats.opened))}
      {stat('Clicked', 'clicked', ofDelivered(stats.clicked))}
      {stat('Bounced', 'bounced')}
      {stat('Complained', 'complained')}
      {stat('Unsubscribed', 'unsubscribed')}
    </StatRow>
  );
}
