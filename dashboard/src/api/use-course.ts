import { keepPreviousData, type QueryFunction, type QueryKey, useQuery } from '@tanstack/react-query';
import type { Course, CourseState } from '../lib/mail/course-state.ts';
import { useUrlState } from '../lib/use-url-state.ts';

const REFRESH_MS = 30_000;

/** Without the type of errors, as in use-list.ts. */
interface CourseOptions<C, K extends QueryKey> {
  queryKey: K;
  queryFn?: QueryFunction<C, K> | symbol;
}

/**
 * When an issue or a broadcast was opened and clicked. The length of the periods is in the address (`?by=`); without
 * it, the API chooses by the age of the mail. Days and hours are those of `zone`, or without it of the workspace.
 *
 * `options` makes the query: `(query) => getBroadcastCourseOptions({ path: { id }, query })`.
 */
export function useCourse<C extends Course, K extends QueryKey>(
  options: (query: CourseState['query']) => CourseOptions<C, K>,
  zone?: string,
): CourseState {
  const [{ by }, setUrl] = useUrlState(['by']);
  const query = {
    ...(by === 'hour' || by === 'day' ? ({ granularity: by } as const) : {}),
    ...(zone === undefined ? {} : { timezone: zone }),
  };
  const { queryKey, queryFn } = options(query);
  const { data, error, refetch } = useQuery<C, Error, C, K>({
    queryKey,
    ...(typeof queryFn === 'function' ? { queryFn } : {}),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return {
    course: data,
    error,
    query,
    onGranularity: (next) => setUrl({ by: next }),
    refetch: () => void refetch(),
  };
}
