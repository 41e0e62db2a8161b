import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../lib/api-error.ts';
import { operationOf } from './operation-of.ts';

interface WriteOptions<Input, Result> {
  /** The call: `(input) => addSuppression({ body: input })`. It throws an `ApiError`. */
  call: (input: Input) => Promise<{ data: Result }>;
  /** Lists and records that this changes: the names of their operations, such as `listSuppressions`. */
  changes: readonly string[];
  onDone?: (result: Result, input: Input) => unknown;
  /** Left out where the form shows the error itself. */
  onError?: (error: ApiError, input: Input) => void;
}

/** One write. The records that it changes are read again before `onDone`, so that no page shows the old state. */
export function useWrite<Input, Result>({ call, changes, onDone, onError }: WriteOptions<Input, Result>) {
  const queries = useQueryClient();
  return useMutation<Result, ApiError, Input>({
    mutationFn: async (input) => (await call(input)).data,
    onSuccess: async (result, input) => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => changes.includes(operationOf(queryKey) ?? '') });
      onDone?.(result, input);
    },
    onError: (error, input) => onError?.(error, input),
  });
}
