import { about } from '../finding.ts';

const POLICY = 'The policy that Posthorn needs is in docs/ses.md.';

export const CREDENTIALS = about({
  id: 'credentials',
  looksAt: 'Whether AWS knows the credentials that the AWS SDK finds, by the call GetAccount.',
  troubles: {
    missing: {
      status: 'error',
      cause: 'The AWS SDK found no credentials: none in the environment, in ~/.aws, or in a role of this machine.',
      fix: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY where Posthorn runs, or give its machine or container a role, and start it again.',
    },
    unknown: {
      status: 'error',
      cause: 'AWS does not know the access key, or the secret does not belong to it.',
      fix: 'Make a new access key in IAM and set both parts of it. Look for blanks or a missing last character.',
    },
    expired: {
      status: 'error',
      cause: 'The credentials are temporary ones, and their time is over.',
      fix: 'Sign in again, or use a role or an access key that does not expire.',
    },
    clock: {
      status: 'error',
      cause: 'The clock of this machine differs from that of AWS by more than five minutes.',
      fix: 'Let the machine set its clock by NTP.',
    },
    denied: {
      status: 'warning',
      cause: 'The credentials are good, but may not call ses:GetAccount. Mail can leave all the same.',
      fix: `Allow ses:GetAccount, so that rate, quota and sandbox are known. ${POLICY}`,
    },
  },
});

export const REGION = about({
  id: 'region',
  looksAt: 'Whether Amazon SES answers in the region of POSTHORN_PROVIDER_URL.',
  troubles: {
    unknown: {
      status: 'error',
      cause: 'There is no Amazon SES in <region>, or this machine cannot look up names.',
      fix: 'Correct the region in POSTHORN_PROVIDER_URL (ses://us-east-1?…) to the one in which the identities were made.',
    },
    unreachable: {
      status: 'error',
      cause: 'No connection to Amazon SES in <region> could be made.',
      fix: 'Let this machine reach email.<region>.amazonaws.com on port 443. With POSTHORN_SES_ENDPOINT set, check that address.',
    },
    strange: {
      status: 'error',
      cause: 'The answer is none of Amazon SES, or SES has trouble of its own.',
      fix: 'Look for a proxy in between, and at https://health.aws.amazon.com. Try again in some minutes.',
    },
  },
});

export const SANDBOX = about({
  id: 'sandbox',
  looksAt: 'Whether the account may write to everybody.',
  troubles: {
    sandbox: {
      status: 'warning',
      cause:
        'The account is in the sandbox of Amazon SES in <region>: it may only write to verified addresses and to the mailbox simulator.',
      fix: 'Ask for production access in the SES console (Account dashboard, “Request production access”). Each region has a sandbox of its own.',
    },
  },
});

export const STANDING = about({
  id: 'standing',
  looksAt: 'Whether Amazon SES lets the account send at all.',
  troubles: {
    paused: {
      status: 'error',
      cause: 'Sending is paused for the account in <region>.',
      fix: 'Look for the reason in the SES console (Account dashboard, Reputation metrics). Allow it again there, or by PutAccountSendingAttributes when it was paused on your side.',
    },
    shutdown: {
      status: 'error',
      cause: 'Amazon has suspended sending because of bounces or complaints.',
      fix: 'Answer the case in the AWS Support Center, and resolve its findings.',
    },
    probation: {
      status: 'warning',
      cause: 'Amazon has the account under review because of bounces or complaints. Sending may be suspended.',
      fix: 'Answer the case in the AWS Support Center, and write only to people who asked for it until it is closed.',
    },
  },
});

export const QUOTA = about({
  id: 'quota',
  looksAt: 'The rest of the quota of 24 hours, and whether the account allows the configured rate.',
  troubles: {
    'used up': {
      status: 'error',
      cause: 'The quota of 24 hours is used up. Posthorn waits and tries again every ten minutes.',
      fix: 'Wait, or ask for a higher quota in Service Quotas (Amazon SES, “Sending quota”).',
    },
    'nearly used up': {
      status: 'warning',
      cause: 'More than four fifths of the quota of 24 hours are used.',
      fix: 'Ask for a higher quota in Service Quotas (Amazon SES, “Sending quota”) before mail has to wait.',
    },
    'rate is lower': {
      status: 'warning',
      cause: 'The account allows less than POSTHORN_SEND_RATE. Posthorn uses the rate of the account.',
      fix: 'Ask for a higher “Sending rate” in Service Quotas, or lower POSTHORN_SEND_RATE.',
    },
  },
});

export const IDENTITY = about({
  id: 'identity',
  looksAt: 'Whether each domain that mail is sent from is a verified identity of the account in this region.',
  troubles: {
    missing: {
      status: 'error',
      cause:
        'The account has no identity for this domain, or a domain above it, in <region>. Perhaps it was made in another region.',
      fix: 'Create the identity in the SES console (Identities, “Create identity”) in <region> and publish its DKIM records, or correct the region in POSTHORN_PROVIDER_URL.',
    },
    unverified: {
      status: 'error',
      cause: 'The identity exists, and Amazon SES has not seen its DNS records.',
      fix: 'Publish the three DKIM records (CNAME) that the SES console shows for the identity. It may take an hour until SES looks again.',
    },
    denied: {
      status: 'warning',
      cause: 'The credentials may not call ses:GetEmailIdentity.',
      fix: `Allow ses:GetEmailIdentity. ${POLICY}`,
    },
    unknown: {
      status: 'warning',
      cause: 'Amazon SES did not answer the question about this identity.',
      fix: 'Run the check again.',
    },
  },
});

export const CONFIGURATION_SET = about({
  id: 'configuration_set',
  looksAt:
    'Whether every message carries a configuration set, and the account has it. Without one SES reports no events.',
  troubles: {
    'not named': {
      status: 'error',
      cause: 'POSTHORN_PROVIDER_URL names no configuration set, and the identities have no default one.',
      fix: 'Create a configuration set and name it: ses://<region>?configurationSet=NAME.',
    },
    missing: {
      status: 'error',
      cause: 'The account has no configuration set of this name in <region>. SES refuses every message that names it.',
      fix: 'Create it in the SES console (Configuration sets) in <region>, or correct the name in POSTHORN_PROVIDER_URL.',
    },
    'sending is off': {
      status: 'error',
      cause: 'Sending is turned off for this configuration set.',
      fix: 'Turn it on in the SES console (Configuration sets, the set, “Enable sending”).',
    },
    denied: {
      status: 'warning',
      cause: 'The credentials may not call ses:GetConfigurationSet.',
      fix: `Allow ses:GetConfigurationSet and ses:GetConfigurationSetEventDestinations. ${POLICY}`,
    },
    unknown: {
      status: 'warning',
      cause: 'Amazon SES did not answer the question about the configuration set.',
      fix: 'Run the check again.',
    },
  },
});

export const EVENT_DESTINATION = about({
  id: 'event_destination',
  looksAt: 'Whether the configuration set publishes events to an Amazon SNS topic.',
  troubles: {
    missing: {
      status: 'error',
      cause: 'The configuration set has no event destination of the type Amazon SNS.',
      fix: 'Add one in the SES console (Configuration sets, the set, Event destinations): Amazon SNS, with the event types Send, Reject, Bounce, Complaint, Delivery, Delivery delay and Rendering failure.',
    },
    disabled: {
      status: 'error',
      cause: 'The event destination is turned off.',
      fix: 'Edit the event destination in the SES console and enable it.',
    },
    'events are missing': {
      status: 'error',
      cause:
        'The event destination leaves out events without which bounced and complaining addresses would be written to again, or mail stays “sent” for ever.',
      fix: 'Edit the event destination and choose Send, Reject, Bounce, Complaint, Delivery, Delivery delay and Rendering failure.',
    },
    denied: {
      status: 'warning',
      cause: 'The credentials may not call ses:GetConfigurationSetEventDestinations.',
      fix: `Allow ses:GetConfigurationSetEventDestinations. ${POLICY}`,
    },
    unknown: {
      status: 'warning',
      cause: 'Amazon SES did not answer the question about the event destinations.',
      fix: 'Run the check again.',
    },
  },
});

export const TOPIC = about({
  id: 'topic',
  looksAt: 'Whether Posthorn believes the topic that the configuration set publishes to.',
  troubles: {
    'not believed': {
      status: 'error',
      cause: 'The topic is not in POSTHORN_SES_TOPIC_ARNS, so its messages are refused.',
      fix: 'Set POSTHORN_SES_TOPIC_ARNS=<topic> (several are separated by commas) and start Posthorn again.',
    },
  },
});

export const SUBSCRIPTION = about({
  id: 'subscription',
  looksAt: 'Whether the topic’s subscription to Posthorn was confirmed.',
  troubles: {
    missing: {
      status: 'error',
      cause:
        'The topic has never spoken to Posthorn: there is no subscription, or its address is wrong or cannot be reached.',
      fix: 'In the SNS console create a subscription of the topic: protocol HTTPS, endpoint <endpoint>, without raw message delivery. Posthorn confirms it by itself.',
    },
    failed: {
      status: 'error',
      cause: 'Posthorn was asked to confirm the subscription and could not: <reason>.',
      fix: 'Let Posthorn reach sns.REGION.amazonaws.com on port 443, then choose “Request confirmation” for the subscription in the SNS console.',
    },
    unsubscribed: {
      status: 'error',
      cause: 'The subscription was deleted.',
      fix: 'Create it again in the SNS console: protocol HTTPS, endpoint <endpoint>, without raw message delivery.',
    },
  },
});

export const RECEIVING = about({
  id: 'receiving',
  looksAt:
    'With POSTHORN_SES_RECEIVING: whether a receipt rule of the active rule set brings the mail of each receiving domain to a believed topic.',
  troubles: {
    'no rule set': {
      status: 'error',
      cause: 'No receipt rule set is active in <region>: Amazon SES refuses the mail of its domains.',
      fix: 'Create a rule set with a rule and make it active (SES console, Email receiving). The steps are in docs/receiving.md.',
    },
    'no rule': {
      status: 'error',
      cause:
        'No enabled rule in <region> tells a topic of POSTHORN_SES_TOPIC_ARNS of the mail for <domains>, with the action SNS, or with the action S3 and a bucket of POSTHORN_SES_BUCKETS.',
      fix: 'Add the action to a rule whose recipients include the domains, or set POSTHORN_SES_TOPIC_ARNS and POSTHORN_SES_BUCKETS to the topic and the bucket of the rule. The steps are in docs/receiving.md.',
    },
    unreadable: {
      status: 'warning',
      cause: 'The rule for <domains> changes messages in a way that loses something: <reason>.',
      fix: 'Choose the encoding Base64 for the action SNS, and no KMS key for the action S3 (encrypt the bucket itself).',
    },
    denied: {
      status: 'warning',
      cause: 'The credentials may not call ses:DescribeActiveReceiptRuleSet.',
      fix: 'Allow ses:DescribeActiveReceiptRuleSet. The policy is in docs/receiving.md.',
    },
    unknown: {
      status: 'warning',
      cause: 'Amazon SES did not answer the question about its receipt rules in <region>.',
      fix: 'Run the check again.',
    },
  },
});

export const RECEIVED_MAIL = about({
  id: 'received_mail',
  looksAt: 'Whether mail that Amazon SES received has waited for more than ten minutes, or was given up in seven days.',
  troubles: {
    'given up': {
      status: 'error',
      cause: 'Mail that Amazon SES received was given up after four days. The last reason: <reason>.',
      fix: 'Mend the reason. Messages of the action S3 are still in the bucket, as long as its lifecycle rule keeps them.',
    },
    waits: {
      status: 'warning',
      cause: 'Mail that Amazon SES received waits, and is tried again for four days. The last reason: <reason>.',
      fix: 'Mend the reason: turn on receiving for the domain, raise POSTHORN_INBOUND_MB or POSTHORN_INBOUND_MESSAGE_MB, or allow s3:GetObject for the bucket and name it in POSTHORN_SES_BUCKETS.',
    },
  },
});

export const EVENTS = about({
  id: 'events',
  looksAt: 'When the topic was last heard of, and whether mail older than ten minutes has no event at all.',
  troubles: {
    never: {
      status: 'error',
      cause: 'Mail was handed over more than ten minutes ago, and no event has ever been received: callback problem?',
      fix: 'Mend the checks above. Then send to success@simulator.amazonses.com: its delivery is reported within seconds.',
    },
    stopped: {
      status: 'error',
      cause:
        'Events used to arrive, and none did since mail that was handed over more than ten minutes ago: callback problem?',
      fix: 'Look at the delivery status of the topic and at the proxy in front of Posthorn for refused POST requests to <endpoint>. Then send to success@simulator.amazonses.com.',
    },
  },
});
