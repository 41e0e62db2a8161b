/**
 * Receipt rules are in the API of version 1, which speaks forms and XML: page "DescribeActiveReceiptRuleSet" and
 * "Common Errors" of the Amazon SES API Reference.
 */
import type { WireAnswer } from './ses-wire.ts';

export const RECEIPT_RULES = 'DescribeActiveReceiptRuleSet';

export interface SesReceiptRule {
  enabled: boolean;
  recipients: string[];
  actions: (
    | { sns: { topicArn: string; encoding: 'UTF-8' | 'Base64' } }
    | { s3: { bucketName: string; topicArn?: string; kmsKeyArn?: string } }
  )[];
}

export function describeReceiptRules(bytes: Buffer, rules: readonly SesReceiptRule[] | null): WireAnswer {
  if (new URLSearchParams(bytes.toString()).get('Action') !== RECEIPT_RULES) {
    return queryError(400, 'InvalidAction', 'Could not find operation.');
  }
  const set =
    rules === null
      ? ''
      : `<Metadata><Name>posthorn</Name><CreatedTimestamp>2026-11-01T00:00:00.000Z</CreatedTimestamp></Metadata>
         <Rules>${rules.map(ruleXml).join('')}</Rules>`;
  return xml(
    200,
    `<DescribeActiveReceiptRuleSetResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/">
      <DescribeActiveReceiptRuleSetResult>${set}</DescribeActiveReceiptRuleSetResult>
      <ResponseMetadata><RequestId>8ac45ddd-6a9d-11e5-8d4e-0123456789ab</RequestId></ResponseMetadata>
    </DescribeActiveReceiptRuleSetResponse>`,
  );
}

const ruleXml = ({ enabled, recipients, actions }: SesReceiptRule, index: number): string =>
  `<member><Name>rule-${index}</Name><Enabled>${enabled}</Enabled><ScanEnabled>true</ScanEnabled>
   <TlsPolicy>Optional</TlsPolicy>
   <Recipients>${recipients.map((one) => `<member>${one}</member>`).join('')}</Recipients>
   <Actions>${actions.map((one) => `<member>${actionXml(one)}</member>`).join('')}</Actions></member>`;

function actionXml(action: SesReceiptRule['actions'][number]): string {
  if ('sns' in action) {
    const { topicArn, encoding } = action.sns;
    return `<SNSAction><TopicArn>${topicArn}</TopicArn><Encoding>${encoding}</Encoding></SNSAction>`;
  }
  const { bucketName, topicArn, kmsKeyArn } = action.s3;
  const topic = topicArn === undefined ? '' : `<TopicArn>${topicArn}</TopicArn>`;
  const key = kmsKeyArn === undefined ? '' : `<KmsKeyArn>${kmsKeyArn}</KmsKeyArn>`;
  return `<S3Action><BucketName>${bucketName}</BucketName>${topic}${key}</S3Action>`;
}

export const queryError = (status: number, code: string, message: string): WireAnswer =>
  xml(
    status,
    `<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type><Code>${code}</Code>
     <Message>${message}</Message></Error><RequestId>8ac45ddd-6a9d-11e5-8d4e-0123456789ab</RequestId></ErrorResponse>`,
  );

const xml = (status: number, body: string): WireAnswer => ({ status, body, headers: { 'content-type': 'text/xml' } });
