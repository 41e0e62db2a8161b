import { hashOfAddress } from '#features/consents';
import { readAddress } from '#mail/addresses/read-address.ts';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { Contact } from './contact.ts';
import { type ContactInput, describe, NO_DESCRIPTION } from './contact-input.ts';
import { declareProperties } from './properties/declare-properties.ts';
import { getContact } from './get-contact.ts';
import { listOptOuts } from './opt-outs/opt-out-queries.ts';
import { findContact, insertContacts } from './queries.ts';
import { tellCreated } from './news/tell-of-contacts.ts';

/**
 * Adds a contact. One with the address that is there already is returned unchanged. An address whose contact had
 * unsubscribed and was deleted is unsubscribed from the first moment. Throws 422 for a property of another type.
 */
export async function createContact(ctx: Ctx, input: ContactInput): Promise<{ contact: Contact; isNew: boolean }> {
  const email = readAddress(input.email).identity;
  const { workspaceId } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const held = await findContact(tx, workspaceId, { email });
    if (held !== undefined) return { contact: held, isNew: false };
    const [fault] = await declareProperties(inside, [input.properties ?? {}]);
    if (fault != null) throw fault;
    const [optOut] = await listOptOuts(tx, workspaceId, [hashOfAddress(ctx.secrets, email)]);
    const now = ctx.clock.now();
    const contact: Contact = {
      ...describe(NO_DESCRIPTION, input),
      workspaceId,
      id: newId(),
      email,
      unsubscribedAt: optOut?.unsubscribedAt ?? (input.unsubscribed === true ? now : null),
      createdAt: now,
      updatedAt: now,
    };
    const [inserted] = await insertContacts(tx, workspaceId, [contact]);
    // Another request has added it at this moment.
    if (inserted === undefined) return { contact: await getContact(inside, email), isNew: false };
    await tellCreated(tx, ctx, [contact]);
    return { contact, isNew: true };
  });
}
