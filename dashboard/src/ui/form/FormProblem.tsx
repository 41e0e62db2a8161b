import { ErrorState } from '../ErrorState.tsx';

/** The refusals of the server that no field shows. */
export function FormProblem({ error }: { error: unknown }) {
  return error === undefined ? null : <ErrorState error={error} />;
}
