import type { LoadRecipients, PersonalRecipient } from './personal-content.ts';

export interface RecipientKey {
  workspaceId: string;
  /** Of the email. */
  id: string;
  sendId: string | null;
  /** Who keeps the audience of its send; null: it is of no bulk send. */
  audienceKind: string | null;
  subscriberId: string | null;
}

/** Of each kind of audience, who loads its recipients. */
type Loaders = readonly { kind: string; loadRecipients: LoadRecipients }[];

/** Loads recipients of any kind: one statement for each kind that is there. Who belongs to no known kind is absent. */
export const loadRecipientsOf =
  (loaders: Loaders) =>
  async (emails: readonly RecipientKey[]): Promise<ReadonlyMap<string, PersonalRecipient>> => {
    const found = await Promise.all(
      loaders.map(async ({ kind, loadRecipients }) => {
        const wanted = emails.flatMap(({ workspaceId, id, sendId, audienceKind, subscriberId }) =>
          audienceKind !== kind || sendId === null || subscriberId === null
            ? []
            : [{ workspaceId, emailId: id, sendId, subscriberId }],
        );
        return wanted.length === 0 ? new Map<string, PersonalRecipient>() : loadRecipients(wanted);
      }),
    );
    return new Map(found.flatMap((recipients) => [...recipients]));
  };

interface RecipientStore {
  /** Reads what a page of emails needs, in one statement for each kind of audience. */
  expect(page: readonly RecipientKey[]): void;
  recipientOf(email: RecipientKey): Promise<PersonalRecipient | undefined>;
}

/** What the recipients of bulk sends get of their own, from the claim of their page to the making of their message. */
export function createRecipientStore(loaders: Loaders): RecipientStore {
  const load = loadRecipientsOf(loaders);
  // Each is asked for once; an email that comes again was claimed again, in another page.
  const expected = new Map<string, Promise<PersonalRecipient | undefined>>();

  const isPersonal = ({ sendId, audienceKind, subscriberId }: RecipientKey): boolean =>
    sendId !== null && subscriberId !== null && loaders.some(({ kind }) => kind === audienceKind);

  const expect = (page: readonly RecipientKey[]): void => {
    const wanted = page.filter(isPersonal);
    if (wanted.length === 0) return;
    const reading = load(wanted);
    for (const { id } of wanted) {
      const recipient = reading.then((found) => found.get(id));
      recipient.catch(() => expected.delete(id)); // whoever uses it meets the error
      expected.set(id, recipient);
    }
  };

  return {
    expect,
    async recipientOf(email) {
      if (!isPersonal(email)) return undefined;
      if (!expected.has(email.id)) expect([email]);
      try {
        return await expected.get(email.id);
      } finally {
        expected.delete(email.id);
      }
    },
  };
}
