import { getIssueCourseOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { useCourse } from '../../../api/use-course.ts';
import { MailingCourse } from '../../../ui/results/MailingCourse.tsx';
import type { IssueIds } from './SendIssue.tsx';

export function IssueCourse({ path }: { path: IssueIds }) {
  const state = useCourse((query) => getIssueCourseOptions({ path, query }));
  return <MailingCourse state={state} path={`/v1/newsletters/${path.id}/issues/${path.issueId}/course`} />;
}
