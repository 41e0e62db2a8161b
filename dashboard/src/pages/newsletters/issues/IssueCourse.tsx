import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getIssueCourseOptions, getNewsletterOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { useCourse } from '../../../api/use-course.ts';
import { MailingCourse } from '../../../ui/results/MailingCourse.tsx';
import type { IssueIds } from './SendIssue.tsx';

/** By the clock of the newsletter, in which its issues are scheduled too. */
export function IssueCourse({ path }: { path: IssueIds }) {
  const { data, isPending } = useQuery(getNewsletterOptions({ path: { id: path.id } }));
  return isPending ? <Skeleton height={240} /> : <InZone path={path} zone={data?.timezone} />;
}

function InZone({ path, zone }: { path: IssueIds; zone: string | undefined }) {
  const state = useCourse((query) => getIssueCourseOptions({ path, query }), zone);
  return (
    <MailingCourse
      state={state}
      path={`/v1/newsletters/${path.id}/issues/${path.issueId}/course`}
      {...(zone === undefined ? {} : { zoneOf: 'newsletter' as const })}
    />
  );
}
