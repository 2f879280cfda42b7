import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { expect, it, onTestFinished, vi } from 'vitest';
import { S3Bucket } from './s3-bucket.ts';

async function bucketAt(server: Server): Promise<S3Bucket> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const access = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials: null };
  return new S3Bucket('acme', access, { accessKeyId: 'key', secretAccessKey: 'secret' });
}

it('lists a bucket page by page, whatever its tokens and keys contain', async () => {
  const tokens: (string | null)[] = [];
  const pages = [
    '<EncodingType>url</EncodingType><Contents><Key>a%26b/one+1.db</Key><Size>1</Size></Contents><NextContinuationToken>a&amp;b/one</NextContinuationToken>',
    '<EncodingType>url</EncodingType><Contents><Key>a%26b/two.db</Key><Size>2</Size></Contents>',
  ];
  const bucket = await bucketAt(
    createServer(({ url = '' }, response) => {
      tokens.push(new URL(url, 'http://localhost').searchParams.get('continuation-token'));
      response.end(`<ListBucketResult>${pages[tokens.length - 1]}</ListBucketResult>`);
    }),
  );
  expect(await bucket.list('a&b/')).toEqual([
    { key: 'a&b/one 1.db', bytes: 1 },
    { key: 'a&b/two.db', bytes: 2 },
  ]);
  expect(tokens).toEqual([null, 'a&b/one']);
});

it('lists the keys of a storage that does not encode them as they are', async () => {
  const keys = '<Contents><Key>a+b&amp;c&#34;%41/one.db</Key><Size>1</Size></Contents>';
  const page = `<ListBucketResult>${keys}</ListBucketResult>`;
  const bucket = await bucketAt(createServer((_, response) => response.end(page)));
  expect(await bucket.list('a+b')).toEqual([{ key: 'a+b&c"%41/one.db', bytes: 1 }]);
});

it('repeats the reason of a refusal as text', async () => {
  const refusal = '<Error><Code>Bad</Code><Message>No &#34;..&#34; &amp; no &#x27;.&apos;</Message></Error>';
  const bucket = await bucketAt(createServer((_, response) => response.writeHead(400).end(refusal)));
  await expect(bucket.list('')).rejects.toThrow(`400 Bad: No ".." & no '.'`);
});

it.each(['acme', 'acme.backups'])("calls %s at Amazon by a name in Amazon's certificate", async (name) => {
  let host = '';
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation((request) => {
    const { url } = request as Request;
    host = new URL(url).hostname;
    return Promise.resolve(new Response(url.includes(name) ? '<ListBucketResult></ListBucketResult>' : ''));
  });
  onTestFinished(() => fetch.mockRestore());
  const access = { endpoint: null, region: 'eu-central-1', credentials: null };
  await new S3Bucket(name, access, { accessKeyId: 'key', secretAccessKey: 'secret' }).list('');
  const subjectaltname = 'DNS:s3.eu-central-1.amazonaws.com, DNS:*.s3.eu-central-1.amazonaws.com';
  const certificate = { subject: {}, subjectaltname } as PeerCertificate;
  expect(checkServerIdentity(host, certificate)).toBeUndefined();
});
