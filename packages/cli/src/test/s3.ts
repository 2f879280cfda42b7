import S3rver from '@20minutes/s3rver';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './run-cli.ts';

/** The key that this server knows. */
const KEY = 'S3RVER';

/** A storage with the API of S3 and one bucket, and the variables with which it is reached. */
export async function startS3(bucket: string) {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: await temporaryDirectory(),
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  onTestFinished(() => server.close());
  return {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
  };
}
