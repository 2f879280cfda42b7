import { notationsOf } from './ipv4-notations.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * The edges and the middle of every block of the IANA registry of special IPv4 addresses, and the metadata addresses of
 * clouds: AWS, ECS, EKS, Oracle, Alibaba, Tencent, and Azure's host agent, which has a public address.
 */
export const FORBIDDEN_IPV4 = words(`
  0.0.0.0 0.1.2.3 0.255.255.255 10.0.0.0 10.1.2.3 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255
  127.0.0.0 127.0.0.1 127.0.0.53 127.255.255.255 169.254.0.23 169.254.169.254 169.254.170.2 169.254.170.23
  172.16.0.0 172.17.0.1 172.31.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.1 192.88.99.1 192.168.0.0
  192.168.1.1 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
  240.0.0.0 255.255.255.255 168.63.129.16
`);

/** The neighbors of these blocks, and some well-known public addresses. */
export const PUBLIC_IPV4 = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 223.255.255.255
`);

const SPECIAL_IPV6 = words(`
  :: ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::2 1::1 100::1 100:0:0:1::1 64:ff9b:1::1
  2001:: 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff:ffff::1
  2001:db8::1 2001:DB8:FFFF::1 2002:: 3fff::1 3fff:fff::1 4000::1 5f00::1 8000::1 fc00::1 fd00::1
  fd00:ec2::254 fd20:ce::254 fdff:ffff::1 fe80::1 FE80::1 fe80::a9fe:a9fe febf::1 fec0::1 feff::1 ff00::1
  ff01::1 ff02::1 ff05::2 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`);

/** An IPv4 address inside an IPv6 one, in every form that a system may convert back. */
function disguisesOf(ipv4: string): string[] {
  const bytes = ipv4.split('.').map(Number);
  const hex = (mask: number): string =>
    [0, 2]
      .map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) ^ mask)
      .map((part) => part.toString(16))
      .join(':');
  const high = hex(0);
  return [
    `::ffff:${ipv4}`,
    `::ffff:${high}`,
    `0:0:0:0:0:FFFF:${high}`,
    `0000:0000:0000:0000:0000:ffff:${ipv4}`,
    // Compatible (RFC 4291) and translated (RFC 2765).
    `::${ipv4}`,
    `::${high}`,
    `::ffff:0:${ipv4}`,
    `::ffff:0:${high}`,
    // NAT64, with the well-known prefix and with the one for local use (RFC 8215).
    `64:ff9b::${ipv4}`,
    `64:ff9b::${high}`,
    `64:ff9b:1::${high}`,
    // 6to4, and Teredo: as its server and, with all bits inverted, as its client.
    `2002:${high}::`,
    `2002:${high}::1`,
    `2001:0:${high}::1`,
    `2001:0:4136:e378:8000:63bf:${hex(0xffff)}`,
  ];
}

const DISGUISED = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1', '100.64.0.1', '168.63.129.16'];

export const FORBIDDEN_IPV6 = [...SPECIAL_IPV6, ...DISGUISED.flatMap(disguisesOf)];

export const PUBLIC_IPV6 = words(`
  2001:200::1 2001:4860:4860::8888 2606:4700::1111 2606:4700:0:0:0:0:0:1111 2600:1f00::1 2A00:1450:4001::1
  2001:db9::1 2003::1 2400:cb00::1 2620:fe::fe 3fff:1000::1 ::ffff:8.8.8.8 ::ffff:808:808
`);

/** Forbidden addresses as hosts of a URL, in every notation. */
export const forbiddenHosts = (): string[] => [
  ...FORBIDDEN_IPV4.flatMap(notationsOf),
  ...FORBIDDEN_IPV6.map((address) => `[${address}]`),
];

/** The same notations of public addresses. */
export const publicHosts = (): string[] => [
  ...['8.8.8.8', '1.1.1.1', '100.63.255.255'].flatMap(notationsOf),
  ...PUBLIC_IPV4,
  ...PUBLIC_IPV6.map((address) => `[${address}]`),
];
