import { inject, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../../src/testing/test-database.ts';
import { testJobs } from './job-crashes.ts';

testJobs(async () => {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  onTestFinished(drop);
  return url;
});
