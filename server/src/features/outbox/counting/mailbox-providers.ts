/** The providers of mailboxes that are counted by themselves, and the ends of the names of their MX hosts. */
const MX_HOSTS: Readonly<Record<string, readonly string[]>> = {
  google: ['google.com', 'googlemail.com'],
  microsoft: ['outlook.com', 'hotmail.com', 'office365.us', 'mx.microsoft'],
  yahoo: ['yahoodns.net'],
  apple: ['icloud.com'],
  gmx: ['gmx.net', 'web.de'],
  telekom: ['t-online.de'],
  ionos: ['kundenserver.de', 'ionos.com', 'ionos.de'],
  proton: ['protonmail.ch'],
  fastmail: ['messagingengine.com'],
  zoho: ['zoho.com', 'zoho.eu'],
  mail_ru: ['mail.ru'],
  yandex: ['yandex.net', 'yandex.ru'],
  tencent: ['qq.com'],
  comcast: ['comcast.net'],
  orange: ['orange.fr'],
  ovh: ['ovh.net'],
  godaddy: ['secureserver.net'],
  proofpoint: ['pphosted.com', 'ppe-hosted.com'],
  mimecast: ['mimecast.com'],
  barracuda: ['barracudanetworks.com'],
};

export const OTHER_PROVIDER = 'other';
export const MAILBOX_PROVIDERS: readonly string[] = [...Object.keys(MX_HOSTS), OTHER_PROVIDER];

/** The provider behind the MX hosts of a domain: of the first that is known. */
export function providerOf(hosts: readonly string[]): string {
  const names = hosts.map((host) => host.toLowerCase().replace(/\.$/, ''));
  const known = Object.entries(MX_HOSTS).find(([, ends]) =>
    names.some((name) => ends.some((end) => name === end || name.endsWith(`.${end}`))),
  );
  return known?.[0] ?? OTHER_PROVIDER;
}
