import {
  type AttemptLimit,
  type Counting,
  forgetAttempts,
  giveBackAttempt,
} from '#platform/attempts/attempt-limits.ts';

const QUARTER_HOUR = 900;
const HOUR = 3_600;

/** Many people may share a network address; nobody mistypes their own password ten times. */
export const signInLimits = (email: string, ip: string): AttemptLimit[] => [
  { subject: `sign-in ip ${ip}`, max: 100, windowSeconds: QUARTER_HOUR },
  { subject: `sign-in account ${email}`, max: 10, windowSeconds: QUARTER_HOUR },
];

export const registerLimit = (ip: string): AttemptLimit => ({
  subject: `register ip ${ip}`,
  max: 100,
  windowSeconds: HOUR,
});

export const mailLimits = {
  ip: (ip: string): AttemptLimit => ({ subject: `reset ip ${ip}`, max: 30, windowSeconds: HOUR }),
  account: (email: string): AttemptLimit => ({ subject: `reset account ${email}`, max: 3, windowSeconds: HOUR }),
};

/** A right password: the account starts afresh; the network address gets this one attempt back and keeps the others. */
export async function forgiveSignIn(counting: Counting, email: string, ip: string): Promise<void> {
  const [ofIp, ofAccount] = signInLimits(email, ip);
  if (ofIp !== undefined) await giveBackAttempt(counting, ofIp);
  if (ofAccount !== undefined) await forgetAttempts(counting, ofAccount);
}
