import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsHostOf } from './dns-hosts.ts';

test('the host of a zone is known by its name servers', () => {
  for (const [server, id] of [
    ['ada.ns.cloudflare.com', 'cloudflare'],
    ['ns-1536.awsdns-00.co.uk', 'route53'],
    ['ns07.domaincontrol.com', 'godaddy'],
    ['dns1.registrar-servers.com', 'namecheap'],
    ['ns-12-a.gandi.net', 'gandi'],
    ['helium.ns.hetzner.de', 'hetzner'],
    ['dns17.ovh.net', 'ovh'],
    ['ns1045.ui-dns.org', 'ionos'],
    ['ns-cloud-a1.googledomains.com', 'squarespace'],
    ['ns1.digitalocean.com', 'digitalocean'],
    ['ns1.vercel-dns.com', 'vercel'],
    ['dns1.p06.nsone.net', 'netlify'],
    ['ns1.example.com', 'other'],
    ['evil-cloudflare.com', 'other'],
  ] as const) {
    const host = dnsHostOf([server]);
    assert.equal(host.id, id, server);
    assert.ok(host.steps.length >= 2, server);
  }
});

test('a zone of two hosts, and one that nobody knows, gets the general steps', () => {
  assert.equal(dnsHostOf(['ada.ns.cloudflare.com', 'ns1.digitalocean.com']).id, 'other');
  assert.equal(dnsHostOf([]).id, 'other');
  assert.equal(dnsHostOf(null).id, 'other');
});
