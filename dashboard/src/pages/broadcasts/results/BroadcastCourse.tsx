import { getBroadcastCourseOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { useCourse } from '../../../api/use-course.ts';
import { MailingCourse } from '../../../ui/results/MailingCourse.tsx';

export function BroadcastCourse({ id }: { id: string }) {
  const state = useCourse((query) => getBroadcastCourseOptions({ path: { id }, query }));
  return <MailingCourse state={state} path={`/v1/broadcasts/${id}/course`} />;
}
