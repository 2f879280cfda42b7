/** The credentials for S3, or for other storage with its API, from the variables that all S3 tools read. */
export interface S3Access {
  /** `null` for Amazon's own, in `region`. */
  endpoint: string | null;
  region: string;
  /** `null` if the environment has none. */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
}

/** Reads `AWS_*`. A variable for S3 alone wins over the one for all services. */
export function readS3Access(env: Readonly<Record<string, string | undefined>>): S3Access {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || null;
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  return {
    endpoint: endpoint === null ? null : endpoint.replace(/\/+$/, ''),
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1',
    credentials:
      accessKeyId && secretAccessKey
        ? { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
        : null,
  };
}
