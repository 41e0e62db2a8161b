interface Relay {
  host: string;
  port: number;
  /** TLS from the first byte, in place of STARTTLS. */
  isImplicit: boolean;
  /** An address at a verified domain. */
  from: string;
}

export interface RelaySample {
  id: string;
  label: string;
  /** Where the lines belong. */
  where: string;
  code: string;
}

/** The settings of programs that send over SMTP. The API key is read from the environment where that is usual. */
export function relaySamples({ host, port, isImplicit, from }: Relay): readonly RelaySample[] {
  return [
    {
      id: 'wordpress',
      label: 'WordPress',
      where: 'WP Mail SMTP or FluentSMTP: choose “Other SMTP”.',
      code: `SMTP host        ${host}
Encryption       ${isImplicit ? 'SSL' : 'TLS'}
SMTP port        ${port}
Authentication   on
User name        apikey
Password         your API key
From email       ${from}
Force from email on
`,
    },
    {
      id: 'django',
      label: 'Django',
      where: 'settings.py',
      code: `EMAIL_HOST = "${host}"
EMAIL_PORT = ${port}
${isImplicit ? 'EMAIL_USE_SSL' : 'EMAIL_USE_TLS'} = True
EMAIL_HOST_USER = "apikey"
EMAIL_HOST_PASSWORD = os.environ["POSTHORN_API_KEY"]
DEFAULT_FROM_EMAIL = "${from}"
`,
    },
    {
      id: 'rails',
      label: 'Rails',
      where: 'config/environments/production.rb',
      code: `config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: "${host}",
  port: ${port},
  user_name: "apikey",
  password: ENV.fetch("POSTHORN_API_KEY"),
  authentication: :plain,
  ${isImplicit ? 'tls: true' : 'enable_starttls: true'}
}
config.action_mailer.default_options = { from: "${from}" }
`,
    },
    {
      id: 'laravel',
      label: 'Laravel',
      where: '.env',
      code: `MAIL_MAILER=smtp
MAIL_SCHEME=${isImplicit ? 'smtps' : 'smtp'}
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=apikey
MAIL_PASSWORD=your-api-key
MAIL_FROM_ADDRESS=${from}
`,
    },
    {
      id: 'nodemailer',
      label: 'Nodemailer',
      where: 'Add pool: true for many messages.',
      code: `import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({
  host: '${host}',
  port: ${port},
  ${isImplicit ? 'secure: true' : 'requireTLS: true'},
  auth: { user: 'apikey', pass: process.env.POSTHORN_API_KEY },
});

await transport.sendMail({
  from: '${from}',
  to: 'ada@example.com',
  subject: 'It works',
  text: 'Sent through the relay.',
});
`,
    },
    {
      id: 'listmonk',
      label: 'listmonk',
      where: 'Settings → SMTP',
      code: `Host            ${host}
Port            ${port}
Auth protocol   Plain
Username        apikey
Password        your API key
TLS             ${isImplicit ? 'SSL/TLS' : 'STARTTLS'}
Max connections 10
`,
    },
    {
      id: 'msmtp',
      label: 'msmtp',
      where: '~/.msmtprc, readable by you alone (chmod 600)',
      code: `account posthorn
host ${host}
port ${port}
auth plain
user apikey
passwordeval "cat ~/.posthorn-api-key"
tls on
tls_starttls ${isImplicit ? 'off' : 'on'}
from ${from}

account default : posthorn
`,
    },
    {
      id: 'postfix',
      label: 'Postfix',
      where: '/etc/postfix/main.cf; then: postmap /etc/postfix/sasl_passwd && postfix reload',
      code: `relayhost = [${host}]:${port}
smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = hash:/etc/postfix/sasl_passwd
smtp_sasl_security_options = noanonymous
smtp_tls_security_level = encrypt
${isImplicit ? 'smtp_tls_wrappermode = yes\n' : ''}
# /etc/postfix/sasl_passwd
# [${host}]:${port} apikey:your-api-key
`,
    },
  ];
}
