import type { AnswerToKeep } from './queries.ts';

/** A key whose work must not be done. */
export interface KnownKey {
  /** Null: another request with the key is under way. */
  kept: Pick<AnswerToKeep, 'fingerprint' | 'response'> | null;
}

/** The answer of `ph_look_up_answers`; a null stands for an empty list. */
export interface KnownPage {
  readonly knownPlaces: readonly number[] | null;
  readonly knownFingerprints: readonly (Buffer | null)[] | null;
  readonly knownResponses: readonly (Buffer | null)[] | null;
}

/**
 * The answers of work that is done together, as the argument of `ph_look_up_answers` and `ph_keep_answers`: each by the
 * place of its work; undefined has no key. Null when none has one. No key stands twice.
 */
export function pageOfKeys(answers: readonly (AnswerToKeep | undefined)[]): string | null {
  const keys = answers.flatMap((answer, place) => (answer === undefined ? [] : [keyRecord(answer, place)]));
  return keys.length === 0 ? null : JSON.stringify(keys);
}

/** The names are those of the functions. */
const keyRecord = (answer: AnswerToKeep, place: number): Record<string, unknown> => ({
  place,
  workspace_id: answer.workspaceId,
  route: answer.route,
  key: answer.key,
  fingerprint: answer.fingerprint.toString('base64'),
  status: answer.status,
  response: answer.response.toString('base64'),
  headers: answer.headers,
});

/** The work that must not be done, by its place. */
export function knownKeysOf({ knownPlaces, knownFingerprints, knownResponses }: KnownPage): Map<number, KnownKey> {
  return new Map(
    (knownPlaces ?? []).map((place, index) => {
      const fingerprint = knownFingerprints?.[index] ?? null;
      const response = knownResponses?.[index] ?? null;
      return [place, { kept: fingerprint === null || response === null ? null : { fingerprint, response } }];
    }),
  );
}
