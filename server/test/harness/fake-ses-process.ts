/**
 * The fake SES as a process of its own, for tests that kill what sends to it and for benches:
 *
 *   node test/harness/fake-ses-process.ts [--port 4200] [--out messages.jsonl] [--seed 7]
 *     [--fault '{"act":"take-and-drop","share":0.05}']… [--events http://127.0.0.1:3000/events/ses]
 *
 * Prints one JSON line when it listens: endpoint, and with --events sns (POSTHORN_SNS_CERT_HOST) and topic
 * (POSTHORN_SES_TOPIC_ARNS). Each message is one JSON line in the file, written before it is answered: at, messageId,
 * from, to, size, emailId, workspaceId. SIGTERM prints `{"count":…}` and ends it.
 */
import { openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startFakeSes } from './fake-ses.ts';
import { startFakeSns } from './fake-sns.ts';
import type { SesFaultRule } from './ses-faults.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    fault: { type: 'string', multiple: true, default: [] },
    events: { type: 'string' },
  },
});
const file = values.out === undefined ? undefined : openSync(values.out, 'a');
const rules = values.fault.map((text) => JSON.parse(text) as SesFaultRule); // a tool for ourselves: trusted input
const sns = values.events === undefined ? undefined : await startFakeSns();

const ses = await startFakeSes({
  port: Number(values.port),
  faults: { seed: Number(values.seed), rules },
  keepMessages: false,
  onMessage(message) {
    if (file === undefined) return;
    const { at, messageId, from, to, mime, tags } = message;
    const ours = { emailId: tags['posthorn_email'], workspaceId: tags['posthorn_workspace'] };
    writeSync(file, `${JSON.stringify({ at, messageId, from, to, size: mime.length, ...ours })}\n`);
  },
  ...(sns === undefined || values.events === undefined ? {} : { events: { sns, url: values.events } }),
});

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
process.on('SIGTERM', () => {
  void Promise.all([ses.stop(), sns?.stop()]).then(() => say({ count: ses.count }));
});
say({ endpoint: ses.endpoint, ...(sns === undefined ? {} : { sns: sns.origin, topic: sns.topicArn }) });
