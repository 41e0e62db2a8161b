import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewSegment } from '../../../../api/generated/sdk.gen.ts';
import type { SegmentFilter } from '../../../../api/generated/types.gen.ts';
import { errorSentence } from '../../../../lib/api-error.ts';
import { counted, formatCount } from '../../../../lib/number.ts';
import { pb } from '../../../../lib/paths.ts';
import { ContactStateBadge } from '../../ContactStateBadge.tsx';
import classes from './builder.module.css';

const TYPING_MS = 300;

interface Props {
  /** Undefined while a condition is not finished. */
  filter: SegmentFilter | undefined;
}

/** How many contacts meet the filter now, and the newest of them. A count that is out of date is cancelled. */
export function LiveCount({ filter }: Props) {
  const wanted = JSON.stringify(filter ?? null);
  const [asked] = useDebouncedValue(wanted, TYPING_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: [{ _id: 'previewSegment' }, asked],
    queryFn: async ({ signal }) => {
      const body = { filter: JSON.parse(asked) as SegmentFilter }; // as it was written above
      return (await previewSegment({ body, signal, throwOnError: true })).data;
    },
    enabled: asked !== 'null',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  });
  const isOld = isFetching || asked !== wanted;
  return (
    <section className={classes['live']} aria-label="Live count" aria-busy={isOld && filter !== undefined}>
      <div role="status" className={classes['count']} data-old={isOld || undefined}>
        {filter === undefined ? (
          <p className={classes['words']}>Finish the conditions to see who meets them.</p>
        ) : error !== null && asked === wanted ? (
          <p className={classes['words']}>{errorSentence(error)}</p>
        ) : (
          data !== undefined && (
            <>
              <strong>{counted(data.count, 'contact')}</strong>
              <p className={classes['words']}>
                {data.complete
                  ? `of ${formatCount(data.looked_at)} now`
                  : `at least: among the newest ${formatCount(data.looked_at)}`}
              </p>
            </>
          )
        )}
      </div>
      {filter !== undefined && data !== undefined && data.contacts.length > 0 && (
        <>
          <p className={classes['caption']}>The newest of them</p>
          <ul className={classes['sample']}>
            {data.contacts.map((contact) => (
              <li key={contact.id}>
                <a href={pb.contact(contact.id)}>{contact.email}</a>
                <ContactStateBadge contact={contact} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
