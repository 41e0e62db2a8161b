import { addUnknown } from '#platform/http/fields/unknown-fields.ts';
import { EmailSummary } from '#features/emails';
import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { changeContact } from './change-contact.ts';
import { listActivity } from './contact-activity.ts';
import { ContactRecord } from './contact.ts';
import { readContactChange, readNewContact } from './contact-input.ts';
import { createContact } from './create-contact.ts';
import { contactName, getContact, viewOf } from './get-contact.ts';
import { listContacts } from './list-contacts.ts';
import { countProperties, pageOfProperties } from './properties/property-queries.ts';
import { lockContact } from './queries.ts';
import { removeContact } from './remove-contacts.ts';
import * as schemas from './schemas.ts';
import { unsubscribeContact } from './unsubscribe-contact.ts';
import { upsertContacts } from './upsert-contacts.ts';

const version = recordVersion(schemas.UpdateContactBody, async (ctx, { id = '' }) => {
  const name = contactName(id);
  return name === null ? undefined : lockContact(ctx.db, ctx.workspaceId, name);
});

const TAG = 'Contacts';
const one = { tag: TAG, params: schemas.ContactParams } as const;
const readers = { scope: 'contacts:read' } as const;
const writers = { scope: 'contacts:write' } as const;

export const contactRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/contacts',
    id: 'list_contacts',
    tag: TAG,
    summary: 'List contacts',
    description:
      'Newest first. Filters combine. With `search` or `unsubscribed` a page ends after 10,000 contacts that were ' +
      'looked at, even when it is short or empty. Continue while `has_more` is true, with `cursor`.',
    access: readers,
    query: schemas.ContactsQuery,
    response: listEnvelope(ContactRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { contacts, ...counted } = await listContacts(ctx, query, page);
      return answerPage(page, contacts, { ...counted, url: request.url });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/contacts',
    id: 'create_contact',
    version,
    tag: TAG,
    summary: 'Add a contact',
    description:
      'An address that is already there gives 200, `X-Existing-Resource: true` and the unchanged record. An address ' +
      'that had unsubscribed before its contact was deleted is unsubscribed again. 422 for a property whose type is ' +
      'another one in this workspace.',
    access: writers,
    status: 201,
    body: { json: schemas.CreateContactBody, read: readNewContact },
    example: { body: { email: 'ada@example.com', first_name: 'Ada', properties: { plan: 'pro', seats: 3 } } },
    response: ContactRecord,
    otherResponses: { 200: ContactRecord },
    errors: [422],
    handler: async (ctx, { body }) => {
      const { contact, isNew } = await createContact(ctx, body);
      const record = await viewOf(ctx, contact);
      return isNew ? record : answer(record, { status: 200, headers: { 'x-existing-resource': 'true' } });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/contacts/batch',
    id: 'upsert_contacts',
    tag: TAG,
    summary: 'Add or change up to 1,000 contacts',
    description:
      'By address. Of a contact that is there only the given fields change. Good rows are stored; `errors` names the ' +
      'others. Nobody who has unsubscribed is subscribed again, and people who were erased are passed over.',
    access: writers,
    body: { json: schemas.BatchBody },
    example: {
      body: {
        contacts: [
          { email: 'ada@example.com', first_name: 'Ada' },
          { email: 'bob@example.com', properties: { plan: 'free' } },
        ],
      },
    },
    response: schemas.BatchAnswer,
    errors: [422],
    handler: async (ctx, { body, request }) => {
      const ignored = (names: readonly string[]): void =>
        addUnknown(
          request,
          names.map((name) => `contacts[].${name}`),
        );
      return { success: true, ...(await upsertContacts(ctx, body.contacts, ignored)) };
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/contacts/:id',
    id: 'get_contact',
    version,
    summary: 'Read a contact',
    access: readers,
    response: ContactRecord,
    errors: [404],
    handler: async (ctx, { params }) => viewOf(ctx, await getContact(ctx, params.id)),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/v1/contacts/:id',
    id: 'update_contact',
    version,
    summary: 'Change a contact',
    description:
      'Only the fields in the body change; null clears a field. `properties` are merged key by key: null removes a ' +
      'key. A new `email` keeps the history of the contact and whether it is unsubscribed; a suppression stays with ' +
      'the old address. 409 when another contact has the address. 422 for a property whose type is another one.',
    access: writers,
    body: { json: schemas.UpdateContactBody, read: readContactChange },
    example: { body: { last_name: 'Lovelace', properties: { seats: 4 } } },
    response: ContactRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => viewOf(ctx, await changeContact(ctx, params.id, body)),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/v1/contacts/:id',
    id: 'delete_contact',
    version,
    summary: 'Delete a contact',
    description:
      'A suppression of the address stays. Of a contact who had unsubscribed, a keyed hash of the address is kept, so ' +
      'that they are not subscribed when the address comes back. With `erase=true` the hash is kept in any case, and ' +
      'the requests that named the person are emptied.',
    access: writers,
    query: schemas.DeleteContactQuery,
    response: schemas.RemovedContact,
    errors: [404],
    handler: async (ctx, { params, query }) => ({
      success: true,
      id: await removeContact(ctx, params.id, { erase: query.erase === 'true' }),
    }),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/contacts/:id/unsubscribe',
    id: 'unsubscribe_contact',
    summary: 'Unsubscribe a contact',
    description:
      'From all mail to many, or from one list, which cannot add the contact again. A repetition changes nothing.',
    access: writers,
    body: { json: schemas.UnsubscribeBody, optional: true },
    example: { body: {} },
    response: ContactRecord,
    errors: [404],
    handler: async (ctx, { params, body }) =>
      viewOf(ctx, await unsubscribeContact(ctx, params.id, body?.list_id ?? null)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/contacts/:id/activity',
    id: 'list_contact_activity',
    summary: 'List the emails to a contact',
    description: 'Newest first, also those to addresses that the contact had before.',
    access: readers,
    query: schemas.PagesQuery,
    response: listEnvelope(EmailSummary),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const { emails, ...counted } = await listActivity(ctx, params.id, page);
      return answerPage(page, emails, { ...counted, url: request.url });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/contact-properties',
    id: 'list_contact_properties',
    tag: TAG,
    summary: 'List the properties of contacts',
    description: 'The keys that contacts of this workspace have, each with the type that its first value gave it.',
    access: readers,
    query: schemas.PagesQuery,
    response: listEnvelope(schemas.ContactProperty),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const rows = await pageOfProperties(ctx.db, ctx.workspaceId, page);
      const total = page.after === null ? await countProperties(ctx.db, ctx.workspaceId) : null;
      const view = ({ id, key, type, createdAt }: (typeof rows)[number]) => ({ id, key, type, created_at: createdAt });
      return answerPage(page, rows, { total, url: request.url, view });
    },
  }),
];
