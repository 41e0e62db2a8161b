export type CourseGranularity = 'hour' | 'day';

interface Counts {
  opened: number;
  clicked: number;
}

/** The opens and clicks of an issue or a broadcast over time, as the API answers them. */
export interface Course {
  data: readonly (Counts & { period: string })[];
  totals: Counts;
  uncounted: number;
  granularity: CourseGranularity;
  timezone: string;
}

/** The same as a page shows it: `api/use-course.ts` makes it, and `ui/results/MailingCourse.tsx` takes it as it is. */
export interface CourseState {
  /** Undefined until the first answer. */
  course: Course | undefined;
  error: unknown;
  /** As it was asked for; empty: the API chooses. */
  query: { granularity?: CourseGranularity; timezone?: string };
  onGranularity: (next: string) => void;
  refetch: () => void;
}
