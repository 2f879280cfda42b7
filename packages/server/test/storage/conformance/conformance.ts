import { describe } from 'vitest';
import { testFanOut } from './fan-out.ts';
import { testJobRunner } from './job-runner.ts';
import { testJobs } from './jobs.ts';
import { testMigrations } from './migrations.ts';
import { testPages } from './pages.ts';
import { testDeliveryStore } from './delivery-store.ts';
import { testQueue } from './queue.ts';
import { testRaces } from './races.ts';
import { testCached } from './cached.ts';
import { testRecoveries } from './recoveries.ts';
import { testRows } from './rows.ts';
import { testStatistics } from './statistics.ts';
import type { TestStorage } from '../storage.ts';
import { testUnits } from './units.ts';

/** The requirements that every database behind the server meets. */
export function testStorage(create: () => Promise<TestStorage>): void {
  describe('migrations', () => testMigrations(create));
  describe('a unit', () => testUnits(create));
  describe('rows', () => testRows(create));
  describe('rows that are cached', () => testCached(create));
  describe('pages', () => testPages(create));
  describe('races', () => testRaces(create));
  describe('a job', () => testJobs(create));
  describe('the job runner', () => testJobRunner(create));
  describe('the queue', () => testQueue(create));
  describe('an event for thousands of webhooks', () => testFanOut(create));
  describe('a recovery', () => testRecoveries(create));
  describe('statistics', () => testStatistics(create));
  describe('the delivery store', () => testDeliveryStore(create));
}
