import { Type } from 'typebox';
import { macOf } from '#platform/crypto/mac.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { record, type Stored } from '#platform/records/record.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';

export const CONSENT_ACTIONS = [
  'signed_up',
  'confirmation_sent',
  'confirmed',
  'unsubscribed',
  'undone',
  'imported',
  'added',
  'address_changed',
  'erased',
] as const;
export type ConsentAction = (typeof CONSENT_ACTIONS)[number];

/** A list that people are on, a newsletter for example. */
export interface List {
  workspaceId: string;
  listId: string;
}

/** A person on a list, whose consents are recorded. */
export interface Person extends List {
  /** Null: the row is gone, and its id is not kept. */
  id: string | null;
  /** The identity of the address. */
  email: string;
  source: string | null;
}

const fields = {
  id: Type.String({ format: 'uuid', examples: ['0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'] }),
  action: Type.Enum([...CONSENT_ACTIONS]),
  at: Instant,
  email: nullable(Type.String({ description: 'The address as the person typed it.' })),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  url: nullable(Type.String()),
  source: nullable(Type.String()),
  form_version: nullable(Type.String({ description: 'The version of the text that the person saw.' })),
  email_id: nullable(Type.String({ description: 'The confirmation email that was sent.' })),
  token_id: nullable(Type.String({ description: 'The link that was followed.' })),
  details: nullable(Type.Record(Type.String(), Type.Unknown())),
};

/** A consent as it is stored. */
export type Consent = Stored<typeof fields>;
export const CONSENT = record(fields);
export const ConsentRecord = Type.Object(CONSENT.schema, { title: 'Consent', additionalProperties: false });
export const consentView = (row: Consent) => CONSENT.view(row, {});

/**
 * The trace of an address that remains when everything else is erased: nobody without our key can try addresses
 * against it.
 */
export const hashOfAddress = (secrets: Secrets, identity: string): Buffer => macOf(secrets.key('consent'), identity);
