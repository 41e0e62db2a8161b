import { useQuery } from '@tanstack/react-query';
import { allNewsletters } from '../../../api/all-newsletters.ts';
import { allLists, allSegments } from '../../../api/audience.ts';
import {
  getBroadcastOptions,
  getOverviewOptions,
  getTemplateOptions,
} from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Broadcast, BroadcastAudience } from '../../../api/generated/types.gen.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';
import { Properties } from '../../../ui/record/Properties.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { MailingProgress } from '../../../ui/results/MailingProgress.tsx';
import { MailingStats } from '../../../ui/results/MailingStats.tsx';
import { Section } from '../../../ui/Section.tsx';
import { hasResults, isPaused, shownTitle } from '../broadcast-state.ts';
import { CorrectedPeople } from '../writing/CorrectedPeople.tsx';
import { BroadcastCourse } from './BroadcastCourse.tsx';

/** How far it is, what came of it, and its fields. */
export function BroadcastResults({ broadcast }: { broadcast: Broadcast }) {
  const { id, status, stats } = broadcast;
  const hrefOf = (count: string) => `${pb.broadcast(id)}?tab=recipients&counted=${count}`;
  return (
    <>
      {(status === 'sending' || stats.pending > 0) && <Progress broadcast={broadcast} />}
      {hasResults(broadcast) && (
        <Section title="Results" plain>
          <MailingStats stats={stats} hrefOf={hrefOf} />
        </Section>
      )}
      {hasResults(broadcast) && <BroadcastCourse id={id} />}
      <Details broadcast={broadcast} />
    </>
  );
}

function Progress({ broadcast }: { broadcast: Broadcast }) {
  const overview = useQuery({ ...getOverviewOptions(), refetchInterval: 5_000 });
  return (
    <MailingProgress
      isCancelled={broadcast.status === 'cancelled'}
      stats={broadcast.stats}
      rate={overview.data?.pace.rate ?? 0}
      isHeld={isPaused(broadcast)}
      isTimed={broadcast.recipient_timezone}
    />
  );
}

function Details({ broadcast }: { broadcast: Broadcast }) {
  const { id, stats, scheduled_for: at, local_time: local, timezone, template_id: templateId } = broadcast;
  const there = local === null || timezone === null ? '' : ` (${local.slice(0, 16).replace('T', ' ')} in ${timezone})`;
  const { finish_by: by, follow_up_of: rootId, reply_to: replyTo, tags } = broadcast;
  const counts = [
    { label: 'Recipients', value: formatCount(stats.total) },
    ...(stats.by_version.length > 1
      ? [{ label: 'Sent by version', value: stats.by_version.map(versionWords).join(', ') }]
      : []),
    {
      label: 'Not sent',
      value: `${counted(stats.refused, 'email')} refused, ${formatCount(stats.suppressed)} suppressed, ${formatCount(stats.cancelled)} cancelled`,
    },
    { label: 'Left before', value: `${counted(stats.skipped_unsubscribed, 'contact')}; not part of the recipients` },
    {
      label: 'By machines',
      value: `${counted(stats.opened_machine, 'open')}, ${counted(stats.clicked_machine, 'click')}; not counted above`,
    },
  ];
  return (
    <Section title="Details">
      <Properties
        items={[
          ...(hasResults(broadcast) ? counts : []),
          {
            label: 'Audience',
            value:
              broadcast.corrects === null ? (
                <Audience audience={broadcast.audience} />
              ) : (
                <CorrectedPeople corrects={broadcast.corrects} />
              ),
          },
          ...(rootId === null ? [] : [{ label: 'Follow-up of', value: <Root id={rootId} /> }]),
          { label: 'From', value: broadcast.from },
          ...(replyTo.length === 0 ? [] : [{ label: 'Reply to', value: replyTo.join(', ') }]),
          { label: 'Subject', value: broadcast.subject },
          { label: 'Preheader', value: broadcast.preheader },
          ...(templateId === null ? [] : [{ label: 'Template', value: <Template id={templateId} /> }]),
          { label: 'Scheduled for', value: at === null ? null : `${exactTime(at)}${there}` },
          ...(broadcast.recipient_timezone ? [{ label: 'Time zones', value: zonesWords(broadcast) }] : []),
          ...(by === null ? [] : [{ label: 'Done by', value: exactTime(by) }]),
          ...(tags.length === 0
            ? []
            : [{ label: 'Labels', value: tags.map(({ name, value }) => `${name}=${value}`).join(', ') }]),
          { label: 'Sent', value: <RelativeTime at={broadcast.sent_at} none="Not yet" /> },
          { label: 'Id', value: id, copy: id, mono: true },
        ]}
      />
    </Section>
  );
}

const versionWords = ({ content_version: version, sent }: Broadcast['stats']['by_version'][number]): string =>
  `version ${version} to ${formatCount(sent)}`;

/** The first and the last instant at which it leaves. */
function zonesWords({ progress, local_time: local }: Broadcast): string {
  const when = `At ${local?.slice(11, 16) ?? 'this time'} in each contact’s own time zone`;
  const starts = progress?.starts ?? [];
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined) return when;
  return first === last
    ? `${when}: ${exactTime(first.at)}`
    : `${when}: ${counted(starts.length, 'time')} from ${exactTime(first.at)} to ${exactTime(last.at)}`;
}

/** By its name; an issue, which the API alone names, is no broadcast. */
function Root({ id }: { id: string }) {
  const { data, isError } = useQuery({ ...getBroadcastOptions({ path: { id } }), retry: false });
  if (isError) return `An issue (${id})`;
  return <a href={pb.broadcast(id)}>{data === undefined ? id : shownTitle(data)}</a>;
}

function Template({ id }: { id: string }) {
  const { data } = useQuery(getTemplateOptions({ path: { id } }));
  return <a href={pb.template(id)}>{data?.name ?? id}</a>;
}

/** The names of the lists and the segment; of one that was deleted since, that it was. */
function Audience({ audience }: { audience: BroadcastAudience }) {
  const lists = useQuery(allLists).data;
  const segments = useQuery(allSegments).data;
  const newsletters = useQuery({ ...allNewsletters, enabled: audience.newsletter_id !== null }).data;
  if (lists === undefined || segments === undefined) return null;
  const namesOf = (ids: readonly string[]) =>
    ids.map((id) => lists.find((list) => list.id === id)?.name ?? 'a deleted list').join(', ');
  const { list_ids: listIds, segment_id: segmentId, contact_ids: contactIds, exclude_list_ids: excluded } = audience;
  const newsletter = newsletters?.find(({ id }) => id === audience.newsletter_id);
  const parts = [
    audience.newsletter_id !== null && `Newsletter: ${newsletter?.name ?? 'a deleted one'}`,
    listIds.length > 0 && namesOf(listIds),
    segmentId !== null && (segments.find(({ id }) => id === segmentId)?.name ?? 'a deleted segment'),
    contactIds.length > 0 && counted(contactIds.length, 'named contact'),
  ].filter((part) => part !== false);
  if (parts.length === 0) return 'Nobody yet';
  return `${parts.join(', ')}${excluded.length === 0 ? '' : `; but nobody on ${namesOf(excluded)}`}`;
}
