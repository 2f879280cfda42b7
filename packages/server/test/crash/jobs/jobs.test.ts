import { testJobs } from './job-crashes.ts';

testJobs(() => Promise.resolve(undefined));
