/**
 * A server in its own process, whose log the test can read.
 *
 *   node server-process.ts <flags as JSON>
 */
import { parseServerConfig, type ServerFlags } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';

const flags = JSON.parse(process.argv[2] ?? '{}') as ServerFlags;
const server = await startServer(parseServerConfig(flags, process.env));
process.once('SIGTERM', () => void server.stop());
process.stdout.write(`${JSON.stringify({ url: server.url, setupUrl: server.setupUrl })}\n`);
