import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './address.ts';
import { checkTargetUrl, type TargetPolicy } from './target.ts';

const STRICT: TargetPolicy = { allowHttpLocalhost: false };
const LOCAL: TargetPolicy = { allowHttpLocalhost: true };

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function verdict(url: string, policy: TargetPolicy = STRICT): string {
  const check = checkTargetUrl(url, policy);
  return check.ok ? 'ok' : check.kind;
}

// Every block of the IANA special-purpose registries; the metadata services of AWS, ECS, EKS, Azure and Alibaba; IPv4
// in every IPv6 form (mapped, compatible, translated, NAT64, 6to4, Teredo); and texts that are not addresses.
const PRIVATE_ADDRESSES = [
  ...words(`
    0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.254 10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1
    192.168.255.255 100.64.0.1 100.127.255.255 169.254.0.1 192.0.0.1 192.0.0.192 192.0.2.1 198.51.100.7
    203.0.113.9 192.88.99.1 198.18.0.1 198.19.255.255 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    169.254.169.254 169.254.170.2 169.254.170.23 168.63.129.16 100.100.100.200 :: ::1 fc00::1 fd00::1
    fd00:ec2::254 fe80::1 febf::1 fec0::1 feff::1 ff02::1 2001:db8::1 3fff::1 100::1 2001:2::1 2001:10::1
    2001:20::1 5f00::1 4000::1 1::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe
    0:0:0:0:0:ffff:c0a8:1 ::127.0.0.1 ::7f00:1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8
    64:ff9b:1::7f00:1 2002:7f00:1:: 2002:808:808::1 2001::7f00:1 2001:0:53aa:64c:0:fbff:80ff:fffe
    ::ffff:168.63.129.16 localhost 0x7f.1 017700000001 2130706433 127.1 8.8.8 8.8.8.8. 8.8.8.8/8 8.8.8.08
    ::1%lo fe80::1%eth0 [2606:4700::1111] 1.2.3.4.5 :::
  `),
  '',
  ' 8.8.8.8',
  '2606:4700::1111%eth0x y',
];

const PUBLIC_ADDRESSES = [
  ...words(`
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
    168.63.129.15 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.1 192.0.1.1 192.0.3.1 192.167.255.255
    192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 140.82.112.3 2001:4860:4860::8888 2606:4700::1111
    2a00:1450:4001::1 2600:1f00::1 ::ffff:8.8.8.8 2001:db9::1
  `),
];

describe('isPublicAddress', () => {
  it.each(PRIVATE_ADDRESSES)('refuses %j', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each(PUBLIC_ADDRESSES)('accepts %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });
});

describe('checkTargetUrl', () => {
  it.each([
    ...words(`
      127.0.0.1 127.1 0x7f.1 0x7f000001 017700000001 0177.0.0.1 2130706433 0 0.0.0.0 ①②⑦.⓪.⓪.① 127.0.0.1.
      localhost LOCALHOST localhost. a.localhost a.b.localhost. [::1] [::] [::ffff:127.0.0.1]
      [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [fe80::1] [fd00:ec2::254] [fec0::1]
      [ff02::1] [0:0:0:0:0:0:0:1] 169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16
      metadata.google.internal metadata.google.internal. METADATA.google.internal metadata.goog metadata
      instance-data 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 198.18.0.1 192.0.0.1 192.0.2.1 240.0.0.1
      224.0.0.1 255.255.255.255 redis db.internal printer.local nas.home.arpa host.localdomain
    `),
  ])('refuses https://%s as blocked', (host) => {
    expect(verdict(`https://${host}/hook`)).toBe('blocked');
    expect(verdict(`https://${host}:8443/hook`)).toBe('blocked');
  });

  it.each([
    ...words(`
      https://172.32.0.1/ https://8.8.8.8/ https://[2001:4860:4860::8888]/ https://example.com/
      https://example.com. https://example.com:443/a?b=c https://example.com:8443
      https://xn--bcher-kva.example/ https://example.com/bücher https://example.com:1024/
      https://example.com:65535/ HTTPS://EXAMPLE.COM/X https://localhost.example.com/
      https://internal.example.com/ https://a.b.c.d.example/%20x
    `),
  ])('accepts %s', (url) => {
    expect(verdict(url)).toBe('ok');
  });

  it.each([
    ...words(`
      https://user:pw@example.com/ https://user@example.com/ https://example.com/#frag https://example.com/#
      http://example.com/ http://8.8.8.8/ http://127.0.0.1/ file:///etc/passwd gopher://example.com/
      ftp://example.com/ javascript:alert(1) data:text/plain,x ws://example.com/ https:// https:///
      //example.com/ /hook example.com https://[::1 https://[1.2.3.4]/ https://256.256.256.256/
      https://example.com:65536/ https://example.com:-1/ https://example.com:x/
      https://exa%6dple%2ecom:99999/ https://%00/ https://a%2fb/ https://999999999999/
      https://localhost../ https://127.0.0.1../ https://.example.com/ https://a..b.example/
    `),
    '',
    ' ',
    'https://exa mple.com/',
    'https://exam\tple.com/',
    'https://a\n.b/',
    ' https://example.com/',
    'https://example.com/ ',
    'https://example.com\\@127.0.0.1/',
    'https:\\\\127.0.0.1\\',
    'https://example.com/\u0000',
    'https://\u00a0example.com/',
  ])('refuses %j as invalid', (url) => {
    expect(verdict(url)).toBe('invalid');
  });

  it('checks https:127.0.0.1 as the parser reads it', () => {
    expect(verdict('https:127.0.0.1')).toBe('blocked');
    expect(verdict('https:/127.0.0.1')).toBe('blocked');
    expect(verdict('https:///127.0.0.1')).toBe('blocked');
    expect(verdict('https://%31%32%37.0.0.1')).toBe('blocked');
  });

  it.each([0, 1, 22, 25, 53, 80, 110, 143, 445, 465, 993, 1023, 2375, 3306, 5432, 6379, 9200, 11211])(
    'refuses port %i',
    (port) => {
      expect(verdict(`https://example.com:${port}/`)).toBe('blocked');
    },
  );

  it('returns the parsed URL, so that callers need not parse it again', () => {
    expect(checkTargetUrl('https://EXAMPLE.com:443/a/../b?x=1', STRICT)).toMatchObject({
      url: { href: 'https://example.com/b?x=1' },
    });
  });

  it('names the rule and the fix, and never repeats the password', () => {
    const check = checkTargetUrl('https://user:hunter2@example.com/', STRICT);
    expect(check).toMatchObject({
      ok: false,
      issue: expect.stringContaining('must not contain a user name'),
    });
    expect(JSON.stringify(check)).not.toContain('hunter2');
  });

  describe('with allowHttpLocalhost', () => {
    it.each([
      ...words(`
        http://127.0.0.1:9000/ http://localhost:3000/ http://localhost/ http://[::1]:8080/
        http://app.localhost:3000/ https://localhost:8443/ https://127.0.0.1:8443/ http://127.9.9.9:4000/
        https://example.com/
      `),
    ])('accepts %s', (url) => {
      expect(verdict(url, LOCAL)).toBe('ok');
    });

    it.each([
      ['http://example.com/', 'invalid'],
      ['http://10.0.0.1:3000/', 'invalid'],
      ['http://0.0.0.0:3000/', 'invalid'],
      ['http://localhost.example.com:3000/', 'invalid'],
      ['https://10.0.0.1/', 'blocked'],
      ['https://169.254.169.254/', 'blocked'],
      ['https://0.0.0.0/', 'blocked'],
      ['http://127.0.0.1:22/', 'blocked'],
      ['http://127.0.0.1:6379/', 'blocked'],
    ])('still refuses %s', (url, kind) => {
      expect(verdict(url, LOCAL)).toBe(kind);
    });
  });
});
