/** A write as the parts of pages are given it: what `useWrite` returns. */
export interface Write<Input = undefined> {
  mutate: (input: Input, options?: { onSuccess?: () => void }) => void;
  reset: () => void;
  isPending: boolean;
  error: unknown;
}
