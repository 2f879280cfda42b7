import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
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
    '<Contents><Key>a%26b/one+1.db</Key><Size>1</Size></Contents><NextContinuationToken>a&amp;b/one</NextContinuationToken>',
    '<Contents><Key>a%26b/two.db</Key><Size>2</Size></Contents>',
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
