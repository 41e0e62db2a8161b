/**
 * Mail to many is compiled once for all whose texts differ in values only. Every message must be the one that framing,
 * tracking and encoding it by itself gives: the long way, which makes what cannot be compiled.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { inspectMessage } from '#mail/byte-gate.ts';
import { createDkimKeyPair, dkimBodyHash, loadDkimKey } from '#mail/dkim.ts';
import { listFrame } from '#mail/list-mail/list-frame.ts';
import { finishMessage, type MessageContent } from '#mail/message/message.ts';
import { readClickToken } from '#mail/tracking/token.ts';
import { hasLiquid } from '#features/templates';
import { contentTracking } from './content-tracking.ts';
import { createMergeStore } from './merge-store.ts';
import type { PersonalContent } from './personal-content.ts';
import { type MergedContent, preparePersonal } from './prepare-personal.ts';
import type { ContentRow } from './queries/load-contents.ts';
import { UnfitContent } from './unfit-content.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';

const key = Buffer.alloc(32, 5);
const workspaceId = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';
const contentId = '0197f500-0000-7000-8000-0000000000c1';
const from = parseMailbox('News <news@acme.test>');
const emailIdOf = (n: number): string => `0197f400-0000-7000-8000-${String(n).padStart(12, '0')}`;

interface Issue {
  subject: string;
  html: string;
  text: string | null;
  preheader?: string | null;
  tracked?: boolean;
}

interface Subscriber {
  name: string | null;
  metadata?: Record<string, unknown>;
}

const variablesOf = ({ name, metadata = {} }: Subscriber, n: number) => ({
  subscriber: { name, email: `u${n}@example.com`, metadata },
  unsubscribe_url: `https://acme.test/api/n/unsubscribe?token=${'leave.'.repeat(40)}${n}`,
  preferences_url: `https://acme.test/api/n/preferences?token=${'choose.'.repeat(40)}${n}`,
});

function personalOf({ subject, html, text, preheader = null }: Issue): PersonalContent {
  const links = [
    { label: 'Unsubscribe', url: '{{ unsubscribe_url }}' },
    { label: 'Preferences', url: '{{ preferences_url }}' },
  ];
  const open = preheader !== null && hasLiquid(preheader);
  return {
    liquid: [subject, html, text ?? '', preheader ?? ''].some(hasLiquid),
    headers: [{ name: 'Precedence', value: 'bulk' }],
    preheader: open ? preheader : null,
    frame: listFrame({
      language: 'en',
      title: 'News',
      mark: { name: 'Acme', accentColor: null, logoUrl: null },
      preheader: open ? '{{ preheader }}' : preheader,
      footer: { reason: 'You subscribed.', sender: 'Acme', postalAddress: '1 Street', links },
    }),
  };
}

/** Makes messages of an issue: compiled where that is possible, and the long way. */
async function makersOf(issue: Issue) {
  const content: MessageContent = { ...issue, from, replyTo: [], headers: {}, inReplyTo: null, attachments: [] };
  const isTracked = issue.tracked ?? true;
  const row = { workspaceId, id: contentId, trackOpens: isTracked, trackClicks: isTracked } as ContentRow; // no more of it is read
  const tracking = contentTracking(row, { baseUrl: 'https://t.acme.test', ownUrls: ['https://acme.test'], key });
  const shapes = createMergeStore<MergedContent>().shapesOf(contentId);
  const used = { compiled: 0 };
  const counting: typeof shapes = {
    find(shape, compile) {
      const found = shapes.find(shape, compile);
      const accepts = (values: readonly string[]): boolean => {
        const isAccepted = found?.accepts(values) ?? false;
        if (isAccepted) used.compiled += 1;
        return isAccepted;
      };
      return found === null ? null : { ...found, accepts };
    },
  };
  const making = { content, personal: personalOf(issue), tracking };
  const [short, long] = await Promise.all([
    preparePersonal({ ...making, shapes: counting }),
    preparePersonal({ ...making, shapes: { find: () => null } }),
  ]);
  return { short, long, used };
}

type Maker = Awaited<ReturnType<typeof makersOf>>['short'];

function madeBy(make: Maker, subscriber: Subscriber, n: number) {
  const variables = variablesOf(subscriber, n);
  const headers = [{ name: 'List-Unsubscribe', value: `<${variables.unsubscribe_url}>` }];
  return make({ workspaceId, id: emailIdOf(n), lane: 2 }, { variables, headers });
}

/** The message as its reader gets it; a sentence when it cannot be made. */
async function readBack(make: Maker, subscriber: Subscriber, n: number) {
  const own = madeBy(make, subscriber, n);
  if (own instanceof UnfitContent) return own.message;
  assert.equal(own.content.bodyHash(), dkimBodyHash(own.content.body));
  const to = parseMailbox(`u${n}@example.com`);
  const mime = await finishMessage(own.content, {
    to: [to],
    messageId: `<${n}@acme.test>`,
    date: new Date('2026-11-22T12:00:00Z'),
    extraHeaders: own.headers,
  });
  assert.deepEqual(inspectMessage(mime, { from: from.address, envelopeTo: [to.address] }), []);
  for (const line of own.content.body.toString('latin1').split('\r\n')) assert.ok(line.length <= 76, line);
  const { html, text, subject, headers } = await PostalMime.parse(mime);
  // Line ends are CRLF on the way; this parser keeps them of base64, and gives a part's last one too often.
  const asLines = (lines = ''): string => lines.replaceAll('\r\n', '\n').replace(/\n+$/, '');
  const kept = headers.filter((header) => header.key !== 'content-type');
  return { html: asLines(html), text: asLines(text), subject, shown: own.subject, headers: kept };
}

async function assertSame(issue: Issue, subscribers: readonly Subscriber[]): Promise<number> {
  const { short, long, used } = await makersOf(issue);
  for (const [n, subscriber] of subscribers.entries()) {
    assert.deepEqual(await readBack(short, subscriber, n), await readBack(long, subscriber, n));
  }
  return used.compiled;
}

const ada: Subscriber = { name: 'Ada' };
const people: Subscriber[] = [
  ada,
  { name: null },
  { name: 'Zoë “Z” O’Brien & <b>Co</b>', metadata: { plan: 'pro', tags: ['a', 'b'] } },
  { name: 'x'.repeat(300) },
  { name: '=3D. =\t' },
  { name: 'two  spaces' },
  { name: 'a\r\nBcc: x@evil.test\r\n\r\n.\r\n' },
  { name: '</body></td><!-- --=_ 日本語 😀' },
  { name: 'javascript:alert(1)', metadata: { url: 'javascript:alert(1)', color: 'red;display:none' } },
  {
    name: 'https://acme.example/a?b=c&d=e',
    metadata: { url: 'https://acme.example/?q="><script>', color: 'red;x:expression(1)' },
  },
  { name: ' edge ', metadata: { url: 'mailto:a@b.c', plan: 'amp;' } },
  { name: '\0nul\u200b', metadata: { url: '#top', plan: 'body x' } },
];

/** Texts of authors, honest and not. */
const FRAGMENTS = [
  '<p>Hello {{ subscriber.name }}</p>',
  '<p title="for {{ subscriber.name }}" id=\'{{ subscriber.metadata.plan }}\'>x</p>',
  '<p title={{ subscriber.name }}>x</p>',
  '<p {{ subscriber.metadata.plan }}>x</p>',
  '<a href="https://shop.example/?u={{ subscriber.email | url_encode }}&amp;n={{ subscriber.name }}">Shop</a>',
  '<a href="https://shop.example/{{ subscriber.name }}" data-posthorn-no-track>{{ subscriber.name }}</a>',
  '<a href="{{ subscriber.metadata.url }}">yours</a>',
  '<a href="{{ unsubscribe_url }}">Leave</a> <a href="mailto:{{ subscriber.email }}">{{ subscriber.email }}</a>',
  '<a href="{{ subscriber.name }}">{{ subscriber.name }}</a>',
  '<a href="https://acme.example/a?b=c&amp;d=e">{{ subscriber.name }}</a>',
  '<img src="{{ subscriber.metadata.url }}" alt="{{ subscriber.name }}">',
  '<a href=https://plain.example/x>plain</a>   <b>two   spaces</b> \t\n <i> = .\n.\n..</i>',
  '<p style="color:{{ subscriber.metadata.color }}">c</p>',
  '<style>p{color:{{ subscriber.metadata.color | default: "blue" }}}</style>',
  '<!-- {{ subscriber.name }} -->',
  '<title>{{ subscriber.name }}</title><textarea>{{ subscriber.name }}</textarea>',
  '<svg><text>{{ subscriber.name }}</text></svg>',
  '<noscript>{{ subscriber.name }}</noscript>',
  '<pre>\n{{ subscriber.name }}\n  x</pre>',
  '{{ subscriber.name | raw }}',
  '<p title="{{ subscriber.name | escape }}">{{ subscriber.name | escape_once | newline_to_br }}</p>',
  '{{ subscriber.name | escape }}',
  '{% if subscriber.metadata.plan == "pro" %}<b>Pro</b>{% else %}<div>{% endif %}',
  '{% unless subscriber.name %}<p><b></p>{% endunless %}{{ subscriber.name }}',
  '{% for tag in subscriber.metadata.tags %}<li>{{ tag }} {{ forloop.index }}</li>{% endfor %}',
  '{% capture who %}{{ subscriber.name }}!{% endcapture %}{{ who }} {% cycle "a", subscriber.name %}{% echo subscriber.name %}',
  '{{ subscriber.metadata.tags | join: ", " | upcase }}{{ subscriber.nothing }}',
  '<table><tr>{{ subscriber.name }}<td>{{ subscriber.name }}</td></tr></table>',
  '&{{ subscriber.metadata.plan }} &#{{ subscriber.name }} <{{ subscriber.name }} </{{ subscriber.name }}>',
  '<p title="<{{ subscriber.metadata.plan }}">x</p>',
  '<p><b>{{ subscriber.name }}</p>',
  '<a title="{{ subscriber.name }}" href="https://x.example/"><p>y</a>{{ subscriber.name }}',
  '日本語のお知らせ'.repeat(20),
  'a very long word '.concat('w'.repeat(200)),
  '<div>',
];
const SUBJECTS = ['News', 'Hi {{ subscriber.name | default: "you" }}', '{{ subscriber.name }}'];
const TEXTS = [
  null,
  null,
  'Hi {{ subscriber.name }}, \n.\n--\n{{ unsubscribe_url }} {{ subscriber.name | raw }}',
  '{{ subscriber.name }}',
];
const PREHEADERS = [null, 'Before', 'For {{ subscriber.name }}', '{{ subscriber.name }}'];
const WHOLE = (body: string): string => `<!doctype html><html><head><title>x</title></head><body>${body}</body></html>`;

const anyIssue = fc.record({
  subject: fc.constantFrom(...SUBJECTS),
  html: fc
    .tuple(fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 5 }), fc.boolean())
    .map(([parts, whole]) => {
      const body = parts.join('\n');
      return whole ? WHOLE(body) : body;
    }),
  text: fc.constantFrom(...TEXTS),
  preheader: fc.constantFrom(...PREHEADERS),
  tracked: fc.boolean(),
});

/** Random issues; more than half of them are compiled. */
const ISSUES = propertyRuns({ test: 10, prove: 50 });

test('random issues with Liquid of every kind: each message is the one that the long way makes', async () => {
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(anyIssue, fc.shuffledSubarray(people, { minLength: 4, maxLength: 6 }), async (issue, some) => {
      compiled += await assertSame(issue, [ada, ...some]);
    }),
    { numRuns: ISSUES },
  );
  assert.ok(compiled > ISSUES / 2, `${compiled} were compiled`);
});

describe('a fragment by itself, for everybody', () => {
  for (const fragment of FRAGMENTS) {
    test(fragment.slice(0, 80), async () => {
      await assertSame({ subject: 'News', html: fragment, text: null }, people);
    });
  }
});

describe('the usual issue is compiled, for people with a name and without', () => {
  const body =
    '<h1>Hello {{ subscriber.name }}</h1><p>See <a href="https://acme.example/?u={{ subscriber.email }}">it</a></p>';
  for (const [name, html] of [
    ['a part of a document', body],
    ['a whole document', WHOLE(body)],
    ['control flow', `{% if subscriber.name %}${body}{% else %}<p>Hello</p>{% endif %}`],
    ['no Liquid', '<h1>Hello</h1><a href="https://acme.example/">it</a>'],
  ] as const) {
    test(name, async () => {
      assert.equal(await assertSame({ subject: 'News', html, text: null }, [ada, { name: null }, { name: 'Bo' }]), 3);
    });
  }
});

test('two recipients in turns: neither gets anything of the other', async () => {
  const html = '<p>Hi {{ subscriber.name }}</p><a href="https://acme.example/?u={{ subscriber.email }}">x</a>';
  const { short, used } = await makersOf({ subject: 'For {{ subscriber.name }}', html, text: null });
  for (let turn = 0; turn < 50; turn += 1) {
    for (const [n, name] of ['Alpha', 'Omega'].entries()) {
      const mail = await readBack(short, { name }, n);
      assert.ok(typeof mail === 'object');
      const all = `${JSON.stringify(mail)} ${[...mail.html.matchAll(/\/t\/c\/([\w-]+)/g)].map(([, token = '']) => {
        const click = readClickToken(token, key);
        assert.equal(click?.emailId, emailIdOf(n));
        return click?.target;
      })}`;
      assert.ok(all.includes(name) && all.includes(`u${n}@example.com`) && all.includes(`leave.${n}`));
      for (const other of [n === 0 ? 'Omega' : 'Alpha', `u${1 - n}@example.com`, `leave.${1 - n}`, `choose.${1 - n}`]) {
        assert.ok(!all.includes(other), other);
      }
    }
  }
  assert.equal(used.compiled, 100);
});

test('the signature of a compiled message covers the values in it', async () => {
  const pair = await createDkimKeyPair();
  const html = '<p>Hi  {{ subscriber.name }}   and \t you</p><a href="https://acme.example/">x</a>';
  const { short, used } = await makersOf({ subject: 'Hi {{ subscriber.name }}', html, text: null });
  for (const [n, name] of ['Ada', 'Zoë = O’Brien'].entries()) {
    const own = madeBy(short, { name }, n);
    assert.ok(!(own instanceof UnfitContent));
    const about = {
      to: [parseMailbox(`u${n}@example.com`)],
      messageId: `<${n}@acme.test>`,
      date: new Date(),
      extraHeaders: own.headers,
    };
    const mime = await finishMessage(own.content, about, loadDkimKey('acme.test', 's', pair.privateKey));
    const { results } = await dkimVerify(mime, { resolver: async () => [[`v=DKIM1; k=rsa; p=${pair.publicKey}`]] });
    assert.equal(results[0]?.status.result, 'pass');
  }
  assert.equal(used.compiled, 2);
});

test('texts that are all different are not compiled for ever', () => {
  const shapes = createMergeStore<object>().shapesOf('content');
  let compilations = 0;
  const compile = (): { compiled: object; bytes: number } => {
    compilations += 1;
    return { compiled: {}, bytes: 1_000 };
  };
  for (let n = 0; n < 1_000; n += 1) shapes.find(`shape ${n}`, compile);
  assert.equal(compilations, 8);
  for (let n = 0; n < 1_000; n += 1) shapes.find('shape 1', compile);
  shapes.find('a new one', compile);
  assert.equal(compilations, 9);
});
