import type { Lookup } from '#platform/dns/lookup.ts';
import { storableText } from '#platform/db/storable-text.ts';
import type { RecordState } from '../domain.ts';

/** Anybody can put anything into the DNS of a domain: so much of it is kept. */
const VALUE_CHARS_MAX = 2_000;
const VALUES_MAX = 20;

const kept = (values: readonly string[]): string[] =>
  values.slice(0, VALUES_MAX).map((value) => storableText(value.slice(0, VALUE_CHARS_MAX)));

export const storableStates = (states: readonly RecordState[]): RecordState[] =>
  states.map((state) => ({
    ...state,
    found: kept(state.found),
    hint: state.hint === null ? null : storableText(state.hint),
    publish: state.publish === null ? null : storableText(state.publish),
  }));

/** The questions and their answers, as they are stored and shown. */
export const evidenceOf = (lookups: readonly Lookup[]) =>
  lookups.map(({ name, type, answers, reason }) => ({
    name,
    type,
    reason,
    answers: answers.map(({ server, values, ttl, error }) => ({
      server,
      values: values === null ? null : kept(values),
      ttl,
      error,
    })),
  }));
