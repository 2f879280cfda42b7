const words = (text: string): string[] => text.trim().split(/\s+/);

/** Names that mean this machine, its own network or its cloud before a name server is asked. */
export const FORBIDDEN_NAMES = [
  ...words(`
    localhost LOCALHOST localhost. LocalHost. a.localhost a.b.c.localhost. localhost.localdomain
    printer.local PRINTER.LOCAL. db.internal ip-10-0-0-1.ec2.internal host.docker.internal
    kubernetes.docker.internal nas.home.arpa x.localdomain metadata.google.internal
    METADATA.GOOGLE.INTERNAL. metadata.goog metadata metadata. instance-data redis postgres wpad com
    %6c%6f%63%61%6c%68%6f%73%74 localhost%2e metadata%2Egoogle%2Einternal
  `),
  // Lookalikes that parse to those names: compatibility forms, the long s, invisible marks.
  ...words(
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ localhoſt ℓocalhost localhost。 ｍetadata.google.internal metadata｡goog',
  ),
  'local\u00ADhost',
  'local\u200Bhost',
  'meta\uFE0Fdata.google.internal',
  // A lookalike that does not parse to them is a name without a dot.
  'l\u043Ecalhost',
];

type Row = [url: string, status: 400 | 422];

const invalid = (urls: string[]): Row[] => urls.map((url) => [url, 400]);
const blocked = (urls: string[]): Row[] => urls.map((url) => [url, 422]);

/** URLs that say one thing to a reader and another to a parser, or that are not a webhook. `port`: that of a witness. */
export const trickyUrls = (port: number): Row[] => [
  // The host comes after the @; the text before it misleads the reader.
  ...invalid([
    `https://example.com@127.0.0.1:${port}/`,
    `https://example.com:443@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}@example.com/`,
    `https://example.com%40127.0.0.1:${port}/`,
    `https://:b@127.0.0.1:${port}/`,
    'https://user@example.com/',
    'https://user:password@example.com/',
    `https://example.com#@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}#@example.com/`,
    `https://127.0.0.1:${port}/#`,
    'https://example.com/#fragment',
  ]),
  ...blocked([
    `https://@127.0.0.1:${port}/@example.com`,
    `https://:@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}?@example.com/`,
    `https://127.0.0.1:${port}/@example.com`,
    `https://127.0.0.1:${port}/https://example.com/`,
    `https:127.0.0.1:${port}`,
    `https:/127.0.0.1:${port}/`,
    `https:///127.0.0.1:${port}/`,
    `https://///127.0.0.1:${port}/`,
    `HtTpS://127.0.0.1:${port}/`,
    `https://127.0.0.1:0${port}/`,
    `https://127.0.0.1:${port}/../../x`,
    'https://127.0.0.1',
  ]),
  // Backslashes are slashes to this parser and letters to others; it drops control characters.
  ...invalid([
    `https:\\\\127.0.0.1:${port}\\`,
    `https://example.com\\@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}\\@example.com/`,
    `https://example.com\\.127.0.0.1:${port}/`,
    `ht\ntps://127.0.0.1:${port}/`,
    `https://127.0\t.0.1:${port}/`,
    `https://127.0.0.1:${port}/\r\nHost: example.com`,
    `https://127.0.0.1\r\n:${port}/`,
    `https://example.com\u0000@127.0.0.1:${port}/`,
    `https://example.com\u0000.127.0.0.1:${port}/`,
    `\u0001https://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/\u007F`,
    ` https://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/ `,
    `https://127.0.0.1 :${port}/`,
    `https://127.0.0.1 example.com:${port}/`,
    `https://example.com\u2028/`,
    `https://\u00A0127.0.0.1:${port}/`,
    `https://127.0.0.1\u3000:${port}/`,
  ]),
  ...invalid(
    [
      'http ftp file gopher dict ldap ldaps tftp ws wss sftp ssh telnet jar netdoc phar unix expect php blob',
      'javascript data about view-source mailto smb rtsp redis news',
    ]
      .flatMap(words)
      .flatMap((scheme) => [`${scheme}://127.0.0.1:${port}/`, `${scheme}://example.com/`]),
  ),
  ...invalid([
    'javascript:fetch("https://127.0.0.1/")',
    'data:text/html,x',
    'file:/etc/passwd',
    'file:///etc/passwd',
    '//127.0.0.1/',
    '/hook',
    '127.0.0.1',
    'https',
    'https:',
    'https://',
    'https:///',
    'https://?x',
    'https://:443/',
    'https://.',
    'https://../',
  ]),
  // Texts that are not valid hosts.
  ...invalid(
    [
      'localhost.. 127.0.0.1.. .localhost a..localhost ..1 127.0.0.1%2f 127.0.0.1%00 localhost%00',
      '127.0.0.1%2f.example.com 127.0.0.256 256.0.0.1 1.2.3.4.5 4294967296 0x100000000 127.0.0.0x100 08.8.8.8',
      '0x7g.0.0.1 foo.0 example.com.127 [::1 ::1 [::1]x [::1]. [127.0.0.1] [::ffff:127.1] [::ffff:0x7f.1] [1::2::3]',
      '[fe80::1%25lo] [fe80::1%lo] [fe80::1%251] [::1%25lo] [v1.fe80::] [:] [] exa<mple.com a^b.example a|b.example',
    ]
      .flatMap(words)
      .map((host) => `https://${host}/`),
  ),
  ...invalid([`https://${'a'.repeat(64)}.example.com/`, `https://${'a.'.repeat(126)}example.com/`]),
  ...invalid(
    ['-1', '65536', '99999', '0x1bb', 'x', '443x', '4.4'].map((text) => `https://example.com:${text}/`),
  ),
  // Public hosts that are not written in the form in which they are called.
  ...invalid(
    words(
      'https://bücher.example/ https://例え.jp https://ex\u0430mple.com/x https://ｅxample.com/ https://ex%61mple.com/',
    ),
  ),
  ...invalid(['https://exam\u00ADple.com/', 'https://example.com\u3002', 'https:example%2ecom/']),
  // Ports of other protocols, under 1024 and above.
  ...blocked(
    [
      0, 1, 7, 9, 19, 20, 21, 22, 23, 25, 53, 69, 79, 80, 110, 111, 123, 135, 137, 139, 143, 161, 179, 389,
      445,
    ]
      .concat([
        465, 514, 515, 548, 587, 631, 636, 873, 990, 993, 995, 1023, 2375, 3306, 5432, 6379, 9200, 11211,
      ])
      .map((service) => `https://example.com:${service}/`),
  ),
];

/** Public URLs that look odd, and must not be refused. */
export const PUBLIC_URLS = [
  ...words(`
    https://example.com https://example.com/ https://example.com. https://EXAMPLE.COM/x https://example.com:443/
    https://example.com:8443/ https://example.com:1024/ https://example.com:65535/ https://example.com/ü/%61
    https://xn--bcher-kva.example/ https://example.com?ü https://localhost.example.com/
    https://internal.example.com/ https://127.0.0.1.example.com/ https://10.example.com/
    https://metadata.google.internal.example.com/ https://a_b.example.com/ https://local.dev/
    https://example.com/@127.0.0.1 https://example.com/?url=http://127.0.0.1/ https://example.com//127.0.0.1/
    https://example.com/%2e%2e/%23 https://example.com/%00 https://example.com/%0d%0a https://example.com/a;b,c
    https://hooks.slack.com/services/T0/B0/x https://eu.example.co.uk/hooks?token=a%2Fb https://9.example/
  `),
  `https://${'a'.repeat(63)}.example.com/`,
];
