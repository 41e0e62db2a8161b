import { kindOfAudience } from '../audience-kind.ts';
import type { LoadRecipients, PersonalRecipient } from './personal-content.ts';

export interface RecipientKey {
  workspaceId: string;
  /** The id of the email. */
  id: string;
  sendId: string | null;
  /** Of the version that it was claimed with. */
  contentId: string;
  /** The kind of the audience of its send. null: it is of no bulk send. */
  audienceKind: string | null;
  subscriberId: string | null;
  /** Its address. */
  recipient: string;
}

/** For each kind of audience: loads its recipients. */
type Loaders = readonly { kind: string; loadRecipients: LoadRecipients }[];

/**
 * Loads recipients of any kind, with one statement for each kind among them. A recipient of an unknown kind is
 * absent.
 */
export const loadRecipientsOf =
  (loaders: Loaders) =>
  async (emails: readonly RecipientKey[]): Promise<ReadonlyMap<string, PersonalRecipient>> => {
    const found = await Promise.all(
      loaders.map(async ({ kind, loadRecipients }) => {
        const wanted = emails.flatMap(
          ({ workspaceId, id, sendId, contentId, audienceKind, subscriberId, recipient }) =>
            audienceKind === null || kindOfAudience(audienceKind) !== kind || sendId === null || subscriberId === null
              ? []
              : [{ workspaceId, emailId: id, sendId, contentId, subscriberId, recipient }],
        );
        return wanted.length === 0 ? new Map<string, PersonalRecipient>() : loadRecipients(wanted);
      }),
    );
    return new Map(found.flatMap((recipients) => [...recipients]));
  };

interface RecipientStore {
  /** Reads the recipients of a page, in one statement for each kind of audience. */
  expect(page: readonly RecipientKey[]): void;
  recipientOf(email: RecipientKey): Promise<PersonalRecipient | undefined>;
}

/** The values of recipients of bulk sends, from the claim of their page until their message is made. */
export function createRecipientStore(loaders: Loaders): RecipientStore {
  const load = loadRecipientsOf(loaders);
  // Each recipient is read once. An email that comes again was claimed again, in another page.
  const expected = new Map<string, Promise<PersonalRecipient | undefined>>();

  const isPersonal = ({ sendId, audienceKind, subscriberId }: RecipientKey): boolean =>
    sendId !== null && subscriberId !== null && loaders.some(({ kind }) => kind === audienceKind);

  const expect = (page: readonly RecipientKey[]): void => {
    const wanted = page.filter(isPersonal);
    if (wanted.length === 0) return;
    const reading = load(wanted);
    for (const { id } of wanted) {
      const recipient = reading.then((found) => found.get(id));
      recipient.catch(() => expected.delete(id)); // the caller that uses it gets the error
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
