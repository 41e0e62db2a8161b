import { type FormErrors, type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { ApiError, faultsByField } from './api-error.ts';

export interface ApiForm<V extends Record<string, unknown>> {
  fields: UseFormReturnType<V>;
  /** Shows what the server refused: each fault at its field, and the rest above the form (`problem`). */
  fail: (error: unknown) => void;
  /** For `ui/form/FormProblem`: undefined when every fault has its field. */
  problem: unknown;
  clear: () => void;
}

/**
 * A form whose fields have the names of the API's parameters, so that a refused field shows its own sentence.
 * `fields.getInputProps('email')` binds an input; the first refused field gets the focus.
 */
export function useApiForm<V extends Record<string, unknown>>(options: UseFormInput<V>): ApiForm<V> {
  const fields = useForm<V>({ mode: 'controlled', ...options });
  const [problem, setProblem] = useState<unknown>();
  const fail = (error: unknown) => {
    const { byField, rest } = faultsByField(error, Object.keys(fields.getValues()));
    fields.setErrors(byField as FormErrors);
    setProblem(rest.length > 0 || !(error instanceof ApiError) ? error : undefined);
    const [first] = Object.keys(byField);
    if (first !== undefined) requestAnimationFrame(() => fields.getInputNode(first)?.focus());
  };
  return { fields, fail, problem, clear: () => setProblem(undefined) };
}
