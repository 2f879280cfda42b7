import type { Target } from '../load/generator.worker.ts';
import { PEER_KEY, PEER_PATH } from './peer-http.ts';

export function peerTarget(port: number): Target {
  return { port, path: PEER_PATH, headers: { Authorization: `Bearer ${PEER_KEY}` } };
}
