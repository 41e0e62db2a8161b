/** Programs that people use hand in mail: each message arrives byte for byte as the program sent it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { needsTool } from '../system-tools.ts';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { freePort } from '../harness/posthorn-process.ts';
import { startPostfix } from '../harness/postfix.ts';
import { RAW_MIMES, rawMime } from '../harness/raw-messages.ts';
import { relayClient } from '../harness/relay-client.ts';
import { type SmtpSink, startSmtpSink } from '../harness/smtp-sink.ts';
import { converse } from '../harness/smtp-conversation.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

const run = promisify(execFile);
let sink: SmtpSink;
let api: TestApp;
let folder: string;
let tlsPort: number;
before(async () => {
  sink = await startSmtpSink();
  tlsPort = await freePort();
  api = await createTestApp({
    worker: true,
    relay: true,
    env: {
      POSTHORN_PROVIDER_URL: sink.url,
      POSTHORN_SEND_RATE: '500',
      POSTHORN_PROVIDER_CEILING: '1000',
      POSTHORN_SMTP_RELAYS_PORT: String(tlsPort),
    },
  });
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-relay-'));
});
after(async () => {
  await api.close();
  await sink.stop();
  await rm(folder, { recursive: true });
});

const FROM = 'hello@posthorn.test';
/** A message with an id of its own: dots, long lines, 8 bits and an attachment, as a program might send it. */
const given = (name: string): Buffer => {
  const body = `.\r\n..dots\r\nGr\xc3\xbc\xc3\x9fe\r\n${'x'.repeat(998)}\r\n`;
  return Buffer.from(rawMime(body).toString('latin1').replace('<4711@', `<${name}@`), 'latin1');
};
async function file(name: string, bytes: Buffer | string): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, bytes);
  return at;
}

async function arrived(to: string): Promise<Buffer> {
  const message = await until(`the message to ${to}`, async () => sink.messages.find((one) => one.to.includes(to)));
  return message.mime;
}

/** Behind our signature, and what a server on the way has put in front, the bytes are those that were given. */
async function assertArrived(to: string, bytes: Buffer): Promise<void> {
  const mime = await arrived(to);
  assert.equal(mime.subarray(-bytes.length).toString('latin1'), bytes.toString('latin1'));
  assert.match(mime.toString('latin1'), /^DKIM-Signature: /);
}

test('curl, over TLS and over STARTTLS', async (t) => {
  if (!needsTool(t, 'curl')) return;
  for (const [index, url] of [`smtps://127.0.0.1:${tlsPort}`, `smtp://127.0.0.1:${api.relayPort}`].entries()) {
    const to = `curl-${index}@example.com`;
    const upload = await file(`curl-${index}.eml`, given(`curl-${index}`));
    const wanted = ['--insecure', '--ssl-reqd', '--url', url, '--user', `apikey:${api.key}`];
    await run('curl', ['-sS', ...wanted, '--mail-from', FROM, '--mail-rcpt', to, '--upload-file', upload]);
    await assertArrived(to, given(`curl-${index}`));
  }
});

test('swaks, over STARTTLS', async (t) => {
  if (!needsTool(t, 'swaks')) return;
  const to = 'swaks@example.com';
  // It writes CRLF itself, and one more at the end.
  const lines = given('swaks').toString('latin1').replaceAll('\r\n', '\n').slice(0, -1);
  const data = await file('swaks.eml', Buffer.from(lines, 'latin1'));
  const server = ['--server', '127.0.0.1', '--port', String(api.relayPort), '--tls'];
  const auth = ['--auth', 'PLAIN', '--auth-user', 'apikey', '--auth-password', api.key];
  await run('swaks', [...server, ...auth, '--from', FROM, '--to', to, '--data', `@${data}`]);
  await assertArrived(to, given('swaks'));
});

test('msmtp, as sendmail', async (t) => {
  if (!needsTool(t, 'msmtp')) return;
  const to = 'msmtp@example.com';
  const account = ['--host=127.0.0.1', `--port=${api.relayPort}`, '--tls=on', '--tls-certcheck=off', '--auth=login'];
  const password = await file('msmtp-key', api.key);
  const mime = await file(
    'msmtp.eml',
    Buffer.from(given('msmtp').toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  );
  const line = ['msmtp', ...account, '--user=apikey', `--passwordeval='cat ${password}'`, `--from=${FROM}`, to];
  await run('/bin/sh', ['-c', `${line.join(' ')} < ${mime}`]);
  await assertArrived(to, given('msmtp'));
});

test('smtplib of Python', async (t) => {
  if (!needsTool(t, 'python')) return;
  const to = 'python@example.com';
  const mime = await file('python.eml', given('python'));
  const script = `import smtplib, ssl
with smtplib.SMTP("127.0.0.1", ${api.relayPort}) as server:
    server.starttls(context=ssl._create_unverified_context())
    server.login("apikey", "${api.key}")
    server.sendmail("${FROM}", ["${to}"], open("${mime}", "rb").read(), mail_options=["BODY=8BITMIME"])
`;
  await run('/usr/bin/python3', ['-c', script]);
  await assertArrived(to, given('python'));
});

test('Nodemailer, ten messages over a pool, and its own attachments', async () => {
  const pool = createTransport({
    host: '127.0.0.1',
    port: api.relayPort,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'apikey', pass: api.key },
    pool: true,
  });
  const names = Array.from({ length: 10 }, (_, index) => `nodemailer-${index}`);
  const all = names.map((name) =>
    pool.sendMail({ envelope: { from: FROM, to: [`${name}@example.com`] }, raw: given(name) }),
  );
  for (const { response } of await Promise.all(all)) assert.match(response, /^250 2\.0\.0 Queued as /);
  for (const name of names) await assertArrived(`${name}@example.com`, given(name));
  const content = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const html = '<img src="cid:logo">';
  const attachments = [{ filename: 'ü.bin', content, cid: 'logo' }];
  await pool.sendMail({
    from: FROM,
    to: 'files@example.com',
    bcc: 'blind@example.com',
    subject: 'Grüße',
    html,
    attachments,
  });
  const blind = (await arrived('blind@example.com')).toString('latin1');
  assert.ok(blind.replaceAll('\r\n', '').includes(content.toString('base64')));
  assert.doesNotMatch(blind, /blind@example\.com/);
  pool.close();
});

/** Line ends as some libraries have them, lines that begin with dots, and a file of every byte. */
const AWKWARD = '.\n..two dots\r\nGrüße\n.\n\nlast line';
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

/** The text part and the file of a message that a library composed, decoded by a reader that none of us wrote. */
async function assertComposed(to: string, subject: string): Promise<void> {
  const mime = await arrived(to);
  const { default: PostalMime } = await import('postal-mime');
  const read = await PostalMime.parse(mime);
  assert.equal(read.subject, subject);
  assert.equal(read.text?.replaceAll('\r\n', '\n').trimEnd(), AWKWARD.replaceAll('\r\n', '\n'));
  const [file] = read.attachments;
  assert.equal(file?.filename, 'ü.bin');
  assert.ok(file.content instanceof ArrayBuffer && Buffer.from(file.content).equals(EVERY_BYTE));
  assert.match(mime.toString('latin1'), /^DKIM-Signature: /);
}

/** The message as the program shows it is what arrived, behind our signature, but for line ends that SMTP asks for. */
async function assertSame(to: string, shown: Buffer): Promise<void> {
  const withoutEnd = (text: string): string => text.replace(/(?:\r\n)+$/, '');
  const mime = withoutEnd((await arrived(to)).toString('latin1'));
  const whole = withoutEnd(shown.toString('latin1').replace(/\r?\n/g, '\r\n'));
  assert.equal(mime.slice(-whole.length), whole);
}

test('PHPMailer, as WordPress sends, over STARTTLS and over TLS', async (t) => {
  if (!needsTool(t, 'php') || !needsTool(t, 'phpmailer')) return;
  const bin = await file('phpmailer.bin', EVERY_BYTE);
  const script = await file(
    'phpmailer.php',
    `<?php
require "/usr/share/php/libphp-phpmailer/autoload.php";
foreach ([["tls", ${api.relayPort}, "php-0"], ["ssl", ${tlsPort}, "php-1"]] as [$secure, $port, $name]) {
  $mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
  $mail->isSMTP();
  $mail->Host = "127.0.0.1";
  $mail->Port = $port;
  $mail->SMTPSecure = $secure;
  $mail->SMTPAuth = true;
  $mail->Username = "apikey";
  $mail->Password = getenv("KEY");
  $mail->SMTPOptions = ["ssl" => ["verify_peer" => false, "verify_peer_name" => false]];
  $mail->CharSet = "utf-8";
  $mail->setFrom("${FROM}", "Grüße");
  $mail->addAddress("$name@example.com");
  $mail->addBCC("$name-blind@example.com");
  $mail->Subject = "Grüße";
  $mail->Body = file_get_contents($argv[1]);
  $mail->addAttachment($argv[2], "ü.bin");
  $mail->send();
  file_put_contents("$argv[3]/$name.sent", $mail->getSentMIMEMessage());
}
`,
  );
  const body = await file('phpmailer.txt', AWKWARD);
  await run('php', [script, body, bin, folder], { env: { ...process.env, KEY: api.key } });
  for (const name of ['php-0', 'php-1']) {
    await assertComposed(`${name}@example.com`, 'Grüße');
    await assertSame(`${name}@example.com`, await readFile(path.join(folder, `${name}.sent`)));
    const blind = (await arrived(`${name}-blind@example.com`)).toString('latin1');
    assert.doesNotMatch(blind, /blind@example\.com/);
  }
});

test('Symfony Mailer, as Laravel sends, over STARTTLS and over TLS', async (t) => {
  if (!needsTool(t, 'php') || !needsTool(t, 'symfony-mailer')) return;
  const bin = await file('symfony.bin', EVERY_BYTE);
  const script = await file(
    'symfony.php',
    `<?php
require "/usr/share/php/Symfony/Component/Mailer/autoload.php";
require "/usr/share/php/Symfony/Component/Mime/autoload.php";
foreach ([["smtp", ${api.relayPort}, "symfony-0"], ["smtps", ${tlsPort}, "symfony-1"]] as [$scheme, $port, $name]) {
  $dsn = "$scheme://apikey:" . urlencode(getenv("KEY")) . "@127.0.0.1:$port?verify_peer=0";
  $mail = (new Symfony\\Component\\Mime\\Email())
    ->from("${FROM}")->to("$name@example.com")->bcc("$name-blind@example.com")
    ->subject("Grüße")->text(file_get_contents($argv[1]))
    ->attach(file_get_contents($argv[2]), "ü.bin", "application/octet-stream");
  $sent = Symfony\\Component\\Mailer\\Transport::fromDsn($dsn)->send($mail);
  file_put_contents("$argv[3]/$name.sent", $sent->toString());
}
`,
  );
  const body = await file('symfony.txt', AWKWARD);
  await run('php', [script, body, bin, folder], { env: { ...process.env, KEY: api.key } });
  for (const name of ['symfony-0', 'symfony-1']) {
    await assertComposed(`${name}@example.com`, 'Grüße');
    await assertSame(`${name}@example.com`, await readFile(path.join(folder, `${name}.sent`)));
    const blind = (await arrived(`${name}-blind@example.com`)).toString('latin1');
    assert.doesNotMatch(blind, /blind@example\.com/);
  }
});

test('Django, over STARTTLS and over TLS', async (t) => {
  if (!needsTool(t, 'python') || !needsTool(t, 'django')) return;
  const body = await file('django.txt', AWKWARD);
  const bin = await file('django.bin', EVERY_BYTE);
  const script = `import os, sys
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
settings.configure(DEFAULT_CHARSET="utf-8", EMAIL_HOST="127.0.0.1", EMAIL_HOST_USER="apikey", EMAIL_HOST_PASSWORD=os.environ["KEY"])
text, file = open(sys.argv[1], newline="").read(), open(sys.argv[2], "rb").read()
for name, port, tls in [("django-0", ${api.relayPort}, True), ("django-1", ${tlsPort}, False)]:
    mail = EmailMessage("Grüße", text, "${FROM}", [name + "@example.com"], [name + "-blind@example.com"],
                        attachments=[("ü.bin", file, "application/octet-stream")],
                        headers={"Message-ID": "<" + name + "@posthorn.test>"})
    sent = mail.message
    def once(kept=[]):
        kept.append(kept[0] if kept else sent())
        return kept[0]
    mail.message = once
    get_connection(port=port, use_tls=tls, use_ssl=not tls).send_messages([mail])
    open(sys.argv[3] + "/" + name + ".sent", "wb").write(once().as_bytes(linesep="\\r\\n"))
`;
  await run('/usr/bin/python3', ['-c', script, body, bin, folder], { env: { ...process.env, KEY: api.key } });
  for (const name of ['django-0', 'django-1']) {
    await assertComposed(`${name}@example.com`, 'Grüße');
    await assertSame(`${name}@example.com`, await readFile(path.join(folder, `${name}.sent`)));
    const blind = (await arrived(`${name}-blind@example.com`)).toString('latin1');
    assert.doesNotMatch(blind, /blind@example\.com/);
  }
});

test('the library mail of Ruby, as Rails sends', async (t) => {
  if (!needsTool(t, 'ruby-mail')) return;
  const body = await file('ruby.txt', AWKWARD);
  const bin = await file('ruby.bin', EVERY_BYTE);
  const script = await file(
    'mail.rb',
    `require "mail"
mail = Mail.new(charset: "UTF-8")
mail.from = "${FROM}"
mail.to = "ruby@example.com"
mail.bcc = "ruby-blind@example.com"
mail.subject = "Grüße"
mail.text_part = Mail::Part.new(content_type: "text/plain; charset=UTF-8", body: File.read(ARGV[0], encoding: "UTF-8"))
mail.attachments["ü.bin"] = File.binread(ARGV[1])
mail.delivery_method :smtp, address: "127.0.0.1", port: ${api.relayPort}, user_name: "apikey", password: ENV["KEY"],
  authentication: :plain, enable_starttls: true, openssl_verify_mode: "none"
mail.deliver!
File.binwrite(ARGV[2], mail.encoded)
`,
  );
  const sent = path.join(folder, 'ruby.sent');
  await run('ruby', [script, body, bin, sent], { env: { ...process.env, KEY: api.key, LANG: 'C.UTF-8' } });
  await assertComposed('ruby@example.com', 'Grüße');
  await assertSame('ruby@example.com', await readFile(sent));
  assert.doesNotMatch((await arrived('ruby-blind@example.com')).toString('latin1'), /blind@example\.com/);
});

test('s-nail, a mail program', async (t) => {
  if (!needsTool(t, 's-nail')) return;
  const config = await file(
    'nailrc',
    [
      'set v15-compat',
      `set mta=smtp://apikey:${encodeURIComponent(api.key)}@127.0.0.1:${api.relayPort}`,
      'set smtp-use-starttls smtp-auth=login tls-verify=ignore',
      `set from=${FROM}`,
      '',
    ].join('\n'),
  );
  const body = await file('nail.txt', '.\nHello\n');
  await run('/bin/sh', ['-c', `s-nail -n -Sexpandaddr=all -s Greetings nail@example.com < ${body}`], {
    env: { ...process.env, MAILRC: config, HOME: folder },
  });
  assert.match(
    (await arrived('nail@example.com')).toString('latin1'),
    /Subject: Greetings\r\n[^]*\r\n\r\n\.\r\nHello\r\n$/,
  );
});

test('Postfix as a client: the relay is its smarthost', async (t) => {
  if (!needsTool(t, 'postfix') || !needsTool(t, 'sasl') || !needsTool(t, 'root')) return;
  const postfix = await startPostfix({ smarthost: { port: api.relayPort, user: 'apikey', password: api.key } });
  undoAfter(t, postfix.stop);
  const socket = createConnection(postfix.port, '127.0.0.1');
  undoAfter(t, async () => void socket.destroy());
  const local = converse(socket);
  await local.reply();
  const mime = given('postfix').toString('latin1').replace(/^\./gm, '..');
  const commands = ['EHLO web.example', `MAIL FROM:<${FROM}> BODY=8BITMIME`, 'RCPT TO:<ada@relayed.example>', 'DATA'];
  for (const command of commands) assert.match(await local.say(command), /^[23]/, command);
  assert.match(await local.say(Buffer.from(`${mime}.\r\n`, 'latin1')), /^250/);
  const arrivedMime = await arrived('ada@relayed.example');
  const [, body = ''] = arrivedMime.toString('latin1').split(/\r\n\r\n([^]*)/);
  assert.equal(
    body,
    given('postfix')
      .toString('latin1')
      .split(/\r\n\r\n([^]*)/)[1],
  );
});

test('every kind of message, dots and bytes, in whatever pieces it comes', async () => {
  const client = await relayClient(api.relayPort, api.key);
  for (const [index, [name, mime]] of Object.entries(RAW_MIMES).entries()) {
    const own = Buffer.from(mime.toString('latin1').replace('<4711@', `<pieces-${index}@`), 'latin1');
    const to = `pieces-${index}@example.com`;
    for (const command of [`MAIL FROM:<${FROM}>`, `RCPT TO:<${to}>`, 'DATA']) await client.say(command);
    const wire = Buffer.from(`${own.toString('latin1').replace(/^\./gm, '..')}.\r\n`, 'latin1');
    const size = wire.length > 10_000 ? 4_093 : 1 + (index % 3);
    for (let at = 0; at < wire.length; at += size) {
      client.socket.write(wire.subarray(at, at + size));
      if (at % (size * 16) === 0) await new Promise(setImmediate);
    }
    assert.match(await client.reply(), /^250/, name);
    await assertArrived(to, own);
  }
  client.socket.destroy();
});
