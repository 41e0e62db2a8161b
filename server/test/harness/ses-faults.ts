import { seededRandom } from './smtp-faults.ts';

/**
 * Misbehaviour of the fake SES, chosen by rules in their order and one seeded stream of random numbers, so that a run
 * with the same seed meets the same faults at the same requests (while one request at a time is under way).
 */
export type SesFaultAct =
  /** An error as AWS words it, instead of doing it. */
  | { act: 'error'; status: number; code: string; message: string; headers?: Record<string, string> }
  /** This status and body instead of doing it: a proxy, a login page. */
  | { act: 'answer'; status: number; body: string }
  /** Done, and answered with this body. */
  | { act: 'take-and-answer'; status: number; body: string }
  /** Ends the connection when the request has begun to arrive; nothing was done. */
  | { act: 'drop' }
  /** Done, and the connection ends before the answer. */
  | { act: 'take-and-drop' }
  /** Done, and no answer ever comes. */
  | { act: 'take-and-hang' }
  /** Nothing is done, and no answer ever comes. */
  | { act: 'hang' }
  /** Waits so long and goes on as usual. */
  | { act: 'slow'; ms: number }
  /** Waits for this and goes on as usual: everything that was held goes on at once. */
  | { act: 'hold'; until: Promise<unknown> };

export type SesFaultRule = SesFaultAct & {
  /** Only this operation; SendEmail when left out. */
  operation?: string;
  /** In how many of the chances it happens, 0 to 1; always when left out. */
  share?: number;
  /** At most so often. */
  times?: number;
  /** Passes the first so many chances. */
  after?: number;
};

export interface SesFaultPlan {
  seed?: number;
  rules: SesFaultRule[];
}

export function chooseSesFaults(plan: SesFaultPlan): (operation: string) => SesFaultRule | undefined {
  const random = seededRandom(plan.seed ?? 1);
  const used = new Map<SesFaultRule, { chances: number; hits: number }>();
  return (operation) => {
    for (const rule of plan.rules) {
      if ((rule.operation ?? 'SendEmail') !== operation) continue;
      const count = used.get(rule) ?? { chances: 0, hits: 0 };
      used.set(rule, count);
      count.chances += 1;
      if (count.chances <= (rule.after ?? 0) || count.hits >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      if (rule.share !== undefined && random() >= rule.share) continue;
      count.hits += 1;
      return rule;
    }
    return undefined;
  };
}

const error = (status: number, code: string, message: string): SesFaultAct => ({ act: 'error', status, code, message });

/** Errors in the words of SES, by what an operator would call them. */
export const SES_ERRORS = {
  unverifiedRecipient: error(
    400,
    'MessageRejected',
    'Email address is not verified. The following identities failed the check in region US-EAST-1: ada@example.net',
  ),
  unverifiedSender: error(
    400,
    'MessageRejected',
    'Email address is not verified. The following identities failed the check in region US-EAST-1: Shop <shop@example.com>, example.com',
  ),
  badContent: error(400, 'MessageRejected', 'Transaction failed: Missing start boundary'),
  badAddress: error(400, 'BadRequestException', 'Local address contains control or whitespace'),
  mailFrom: error(400, 'MailFromDomainNotVerifiedException', 'The MAIL FROM domain is not verified.'),
  noConfigurationSet: error(404, 'NotFoundException', 'Configuration set <posthorn> does not exist.'),
  rate: error(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.'),
  quota: error(429, 'TooManyRequestsException', 'Daily message quota exceeded.'),
  suspended: error(400, 'AccountSuspendedException', 'The account is suspended.'),
  paused: error(400, 'SendingPausedException', 'Email sending is paused for this account.'),
  expiredToken: error(403, 'ExpiredTokenException', 'The security token included in the request is expired'),
  unknownKey: error(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'),
  skew: error(
    403,
    'RequestTimeTooSkewed',
    'The difference between the request time and the current time is too large.',
  ),
  denied: error(
    403,
    'AccessDeniedException',
    "User `arn:aws:iam::123456789012:user/x' is not authorized to perform `ses:SendRawEmail' on resource `arn:aws:ses:us-east-1:123456789012:identity/example.com'",
  ),
  internal: error(500, 'InternalFailure', 'The request processing has failed because of an unknown error.'),
  unavailable: error(503, 'ServiceUnavailable', 'The request has failed due to a temporary failure of the server.'),
} as const;
