/**
 * The program of the thread that copies a database. It needs its own thread because it reads and checks every page
 * without a pause.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { codeOf } from '../../db/core/storage-errors.ts';
import { type CopyOrder, copyAndCheck, type CopyResult } from './copy-and-check.ts';

function work(order: CopyOrder): CopyResult {
  try {
    return { copy: copyAndCheck(order) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), code: codeOf(error) };
  }
}

const port = parentPort;
if (!port) throw new Error('A copy is made in its own thread.');
port.postMessage(work(workerData as CopyOrder));
