import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lookup } from '#platform/dns/lookup.ts';
import type { RecordState } from '../domain.ts';
import type { WantedRecord } from '../records/wanted-records.ts';
import { judgeRecord } from './judge-records.ts';

const KEY = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${'k'.repeat(340)}IDAQAB`;
const hosts = {
  spf: 'amazonses.com',
  feedback: 'feedback-smtp.us-east-1.amazonses.com',
  inbound: 'mx.posthorn.example',
};

const lookup = (name: string, values: string[] | null): Lookup => ({
  name,
  type: 'TXT',
  values,
  reason: values === null ? 'The server gave no answer.' : null,
  answers: [],
});

const wanted = (purpose: WantedRecord['purpose']): WantedRecord => ({
  key: purpose,
  purpose,
  type: purpose === 'mx' || purpose === 'inbound' ? 'MX' : 'TXT',
  name: {
    dkim: 'posthorn1._domainkey.acme.test',
    spf: 'acme.test',
    mx: 'acme.test',
    inbound: 'acme.test',
    dmarc: '_dmarc.acme.test',
    bimi: 'default._bimi.acme.test',
  }[purpose],
  value: '',
  priority: null,
  ttl: 3_600,
  required: true,
  publicKey: KEY,
  mark: { svgUrl: 'https://acme.test/logo.svg', certificateUrl: 'https://acme.test/mark.pem' },
});

const judge = (
  purpose: WantedRecord['purpose'],
  values: string[] | null,
  more: { doubled?: string[]; inherited?: string[] } = {},
): RecordState => {
  const record = wanted(purpose);
  return judgeRecord(
    record,
    {
      record: lookup(record.name, values),
      doubled: more.doubled && lookup(`${record.name}.acme.test`, more.doubled),
      inherited: more.inherited && lookup('_dmarc.test', more.inherited),
    },
    hosts,
  );
};

type Case = [
  what: string,
  values: string[] | null,
  status: RecordState['status'],
  hint: RegExp | null,
  more?: { doubled?: string[]; inherited?: string[] },
];

const dkim: Case[] = [
  ['the key', [`v=DKIM1; k=rsa; p=${KEY}`], 'found', null],
  ['the key without version and kind', [`p=${KEY}`], 'found', null],
  [
    'the key with spaces and unknown tags',
    [`v=DKIM1;k=rsa; n=hello; p=${KEY.slice(0, 200)} ${KEY.slice(200)};`],
    'found',
    null,
  ],
  ['the key of a test', [`v=DKIM1; t=y:s; p=${KEY}`], 'found', /t=y/],
  ['nothing', [], 'missing', /no TXT record at posthorn1/],
  [
    'the key under the domain twice',
    [],
    'missing',
    /stands at posthorn1\._domainkey\.acme\.test\.acme\.test/,
    { doubled: [`v=DKIM1; p=${KEY}`] },
  ],
  ['something else under the domain twice', [], 'missing', /no TXT record/, { doubled: ['hello'] }],
  [
    'a key that was cut',
    [`v=DKIM1; k=rsa; p=${KEY.slice(0, 230)}`],
    'mismatch',
    /truncated: it has 230 characters in place of \d+/,
  ],
  ['the end of a key', [`v=DKIM1; k=rsa; p=${KEY.slice(100)}`], 'mismatch', /beginning of the key is missing/],
  ['another key', [`v=DKIM1; k=rsa; p=${KEY.replace('k', 'j')}`], 'mismatch', /another key/],
  ['a revoked key', ['v=DKIM1; k=rsa; p='], 'mismatch', /revoked/],
  ['quotation marks', [`"v=DKIM1; k=rsa; p=${KEY}"`], 'mismatch', /quotation marks/],
  ['another text', ['google-site-verification=1'], 'mismatch', /no p=/],
  ['another kind of key', [`v=DKIM1; k=ed25519; p=${KEY}`], 'mismatch', /k=rsa/],
  ['another version', [`v=DKIM2; p=${KEY}`], 'mismatch', /v=DKIM1/],
  ['no hash that we use', [`v=DKIM1; h=sha1; p=${KEY}`], 'mismatch', /sha256/],
  ['two keys', [`v=DKIM1; p=${KEY}`, 'v=DKIM1; p=other'], 'duplicate', /2 TXT records/],
  ['no answer', null, 'temporary_failure', /no answer/],
];
const spf: Case[] = [
  ['the record', ['v=spf1 include:amazonses.com ~all'], 'found', null],
  ['the record among other texts', ['hello', 'v=spf1 a include:amazonses.com -all'], 'found', null],
  ['other texts', ['hello'], 'missing', /no TXT record/],
  ['another sender', ['v=spf1 include:_spf.google.com ~all'], 'mismatch', /include:amazonses\.com/],
  ['two records', ['v=spf1 a -all', 'v=spf1 include:amazonses.com ~all'], 'duplicate', /2 SPF records/],
  ['no answer', null, 'temporary_failure', /no answer/],
  [
    'eleven look-ups',
    [
      `v=spf1 ${Array.from({ length: 10 }, (_, index) => `include:s${index}.example`).join(' ')} include:amazonses.com ~all`,
    ],
    'found',
    /more than 10 look-ups \(11\)/,
  ],
];
const mx: Case[] = [
  ['our host', ['10 feedback-smtp.us-east-1.amazonses.com'], 'found', null],
  ['our host beside others', ['1 aspmx.l.google.com', '10 feedback-smtp.us-east-1.amazonses.com'], 'found', /aspmx/],
  ['nothing', [], 'missing', /no MX record at acme\.test: answers .* reach nobody/],
  ['a mail server', ['1 aspmx.l.google.com'], 'mismatch', /receives mail at aspmx.*Do not replace/],
  ['a null MX', ['0 '], 'mismatch', /null MX/],
];
const inbound: Case[] = [
  ['our host alone', ['10 mx.posthorn.example'], 'found', null],
  [
    'our host before others',
    ['10 mx.posthorn.example', '20 mx2.acme.test'],
    'found',
    /^mx2\.acme\.test takes mail .* while/,
  ],
  ['our host behind others', ['1 aspmx.l.google.com', '10 mx.posthorn.example'], 'found', /Remove it, or/],
  ['nothing', [], 'missing', /does not arrive/],
  [
    'a mail server of people',
    ['1 aspmx.l.google.com'],
    'mismatch',
    /moves the mail of all its people.*reply\.acme\.test/,
  ],
  ['a null MX', ['0 .'], 'mismatch', /null MX/],
];

const dmarc: Case[] = [
  ['a policy', ['v=DMARC1; p=reject; rua=mailto:a@acme.test'], 'found', null],
  ['the policy none', ['v=DMARC1; p=none'], 'found', /quarantine/],
  ['no policy', ['v=DMARC1; rua=mailto:a@acme.test'], 'mismatch', /no policy/],
  ['a policy that nobody knows', ['v=DMARC1; p=nothing'], 'mismatch', /p=nothing/],
  ['nothing', [], 'missing', /bulk senders/],
  ['nothing, and a policy above', [], 'found', /_dmarc\.test covers/, { inherited: ['v=DMARC1; p=reject'] }],
  ['two policies', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'duplicate', /several/],
];

const mark = 'v=BIMI1; l=https://acme.test/logo.svg; a=https://acme.test/mark.pem';
const bimi: Case[] = [
  ['the record', [mark], 'found', null],
  ['the record beside others', ['other=1', mark], 'found', null],
  ['nothing', [], 'missing', /Publish one TXT record/],
  ['another logo', [mark.replace('logo', 'old')], 'mismatch', /old\.svg/],
  ['two records', [mark, mark], 'duplicate', /2 BIMI records/],
  ['no answer', null, 'temporary_failure', /no answer/],
];

for (const [purpose, cases] of Object.entries({ dkim, spf, mx, inbound, dmarc, bimi }) as [
  WantedRecord['purpose'],
  Case[],
][]) {
  for (const [what, values, status, hint, more] of cases) {
    test(`${purpose}: ${what} is ${status}`, () => {
      const judged = judge(purpose, values, more);
      assert.equal(judged.status, status, judged.hint ?? '');
      if (hint === null) assert.equal(judged.hint, null);
      else assert.match(judged.hint ?? '', hint);
    });
  }
}

test('the value to publish keeps the senders that there are, and is the usual one where there are none', () => {
  assert.equal(judge('spf', []).publish, null);
  assert.equal(
    judge('spf', ['v=spf1 include:_spf.google.com -all']).publish,
    'v=spf1 include:_spf.google.com include:amazonses.com -all',
  );
  assert.equal(judge('spf', ['v=spf1 include:amazonses.com -all']).publish, null);
});
