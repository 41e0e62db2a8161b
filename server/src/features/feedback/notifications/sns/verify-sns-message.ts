import { verify } from 'node:crypto';
import { forbidden } from '#platform/errors/app-error.ts';
import { checkCertUrl, snsOrigin } from './sns-origin.ts';
import type { SigningCertificates } from './signing-certificates.ts';
import type { SnsMessage } from './sns-message.ts';

export interface Trust {
  /** The topics whose messages are believed. */
  topicArns: readonly string[];
  /** Of an emulator; null: each topic's own region. */
  certHost: string | null;
  certificates: SigningCertificates;
}

/** PKCS #1 v1.5 with SHA-1 or SHA-256, as "Verifying the signatures of Amazon SNS messages" says. */
const DIGESTS = { '1': 'sha1', '2': 'sha256' } as const;

/**
 * Throws unless SNS signed this message for one of our topics. The topic comes first: for one that is not ours
 * nothing is fetched and nothing is stored. A refusal is 403 and not 400, since the message may be well made and is
 * only not believed; SNS repeats neither. 503 when the certificate cannot be had, which SNS does repeat.
 */
export async function verifySnsMessage(message: SnsMessage, trust: Trust): Promise<void> {
  if (!trust.topicArns.includes(message.topicArn)) {
    throw forbidden('This topic is not one of POSTHORN_SES_TOPIC_ARNS.', 'TopicArn');
  }
  const { topicArn, signingCertUrl } = message;
  const url = checkCertUrl(
    signingCertUrl,
    snsOrigin(topicArn, trust.certHost, signingCertUrl),
    trust.certHost !== null,
  );
  const key = await trust.certificates.keyAt(url);
  const isSigned = verify(DIGESTS[message.signatureVersion], Buffer.from(message.signedText), key, message.signature);
  if (!isSigned) throw forbidden('The signature does not fit the message.', 'Signature');
}
