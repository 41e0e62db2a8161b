import type { LoadRecipients, PersonalRecipient } from './personal-content.ts';

export interface RecipientKey {
  workspaceId: string;
  /** Of the email. */
  id: string;
  sendId: string | null;
  subscriberId: string | null;
}

interface RecipientStore {
  /** Reads what a page of emails needs in one statement. */
  expect(page: readonly RecipientKey[]): void;
  recipientOf(email: RecipientKey): Promise<PersonalRecipient | undefined>;
}

/** What the recipients of bulk sends get of their own, from the claim of their page to the making of their message. */
export function createRecipientStore(load: LoadRecipients | undefined): RecipientStore {
  // Each is asked for once; an email that comes again was claimed again, in another page.
  const expected = new Map<string, Promise<PersonalRecipient | undefined>>();

  const expect = (page: readonly RecipientKey[]): void => {
    if (load === undefined) return;
    const wanted = page.flatMap(({ workspaceId, id, sendId, subscriberId }) =>
      sendId === null || subscriberId === null ? [] : [{ workspaceId, emailId: id, sendId, subscriberId }],
    );
    if (wanted.length === 0) return;
    const reading = load(wanted);
    for (const { emailId } of wanted) {
      const recipient = reading.then((found) => found.get(emailId));
      recipient.catch(() => expected.delete(emailId)); // whoever uses it meets the error
      expected.set(emailId, recipient);
    }
  };

  return {
    expect,
    async recipientOf(email) {
      if (load === undefined || email.subscriberId === null) return undefined;
      if (!expected.has(email.id)) expect([email]);
      try {
        return await expected.get(email.id);
      } finally {
        expected.delete(email.id);
      }
    },
  };
}
