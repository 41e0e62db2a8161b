import { listEmailsTo } from '#features/emails';
import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { getContact } from './get-contact.ts';
import { listFormerAddresses } from './queries.ts';

/** The newest emails to the address of a contact, and to those that it had before. */
export async function listActivity(ctx: Ctx, name: string, page: PageRequest) {
  const { id, email } = await getContact(ctx, name);
  const former = await listFormerAddresses(ctx.db, ctx.workspaceId, [id]);
  return listEmailsTo(ctx, [email, ...former], page);
}
