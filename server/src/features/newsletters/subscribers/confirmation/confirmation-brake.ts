import { mailOwners, type OwnersMail, type OwnersMailPorts } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { type FloodedNewsletter, listFloods, pauseConfirmations } from './brake-queries.ts';

/**
 * Public sign-ups of an hour that never look like a flood, however quiet the list was before: somebody may write about
 * it.
 */
export const SIGN_UPS_MIN = 100;
const TIMES_MEDIAN = 10;

/**
 * Stops the confirmation emails of newsletters whose public form is being flooded: in the last hour more than ten
 * times the median hour of the week before, most of them unconfirmed. People who sign up then wait, and can be asked
 * when a person has lifted the brake. The owners are told once. Returns which were stopped.
 */
export async function brakeConfirmations(ports: OwnersMailPorts & { db: Db }): Promise<FloodedNewsletter[]> {
  const floods = await listFloods(ports.db, { signUpsMin: SIGN_UPS_MIN, timesMedian: TIMES_MEDIAN });
  const stopped: FloodedNewsletter[] = [];
  for (const flood of floods) {
    const isPaused = await inTransaction(ports.db, async (tx) => {
      if (!(await pauseConfirmations(tx, flood.workspaceId, flood.newsletterId))) return false;
      await mailOwners(ports, tx, flood.workspaceId, () => floodMail(flood));
      return true;
    });
    if (!isPaused) continue; // another process was faster
    stopped.push(flood);
    ports.log.warn(
      { workspaceId: flood.workspaceId, newsletterId: flood.newsletterId, signUps: flood.signUps },
      'sign-ups of a newsletter came unusually fast: its confirmation emails rest',
    );
  }
  return stopped;
}

const floodMail = ({ name, signUps, unconfirmed }: FloodedNewsletter): OwnersMail => ({
  subject: `Confirmation emails of ${name} are paused`,
  paragraphs: [
    `In the last hour ${signUps} people signed up for ${name}, far more than usual, and ${unconfirmed} of them have not confirmed. That is what it looks like when a program enters addresses of strangers into your form.`,
    'So that nobody is mailed who did not ask, no confirmation emails are sent for this newsletter. Everybody else is served as before, and who signs up now is kept as pending.',
    'When you know that they are real people, resume the confirmation emails of the newsletter and remind those who wait. You are told this once.',
  ],
});
