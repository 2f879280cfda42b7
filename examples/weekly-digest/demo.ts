// The events of a week arrive as one email when the week ends. The mail server is real and runs in this process. The demo moves
// the server's clock ahead instead of waiting. Nothing leaves this machine.
import { text } from 'node:stream/consumers';
import { Hubline } from '@hubline/sdk';
import { startTestServer } from '@hubline/server/testing';
import { SMTPServer } from 'smtp-server';

const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _, done) => void text(stream).then((mail) => (mails.push(mail), done())),
});
await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve));
const address = smtp.server.address();
const port = typeof address === 'object' ? address?.port : undefined;

let ahead = 0;
const server = await startTestServer({
  env: { HUBLINE_SMTP_URL: `smtp://127.0.0.1:${port}`, HUBLINE_MAIL_FROM: 'hub@example.com' },
  clock: () => new Date(Date.now() + ahead),
  monotonic: () => performance.now() + ahead,
  // Timers fire after 100 ms at most, so that waiting code soon reads the moved clock.
  timer: (run, ms) => {
    const timer = setTimeout(run, Math.min(ms, 100));
    return () => clearTimeout(timer);
  },
});
const client = new Hubline({ apiKey: server.apiKey, baseURL: server.baseUrl });
const { workspaceId } = server;

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const { id: template_id } = await client.notificationTemplates.create(workspaceId, {
  name: 'One line',
  body: { text: '{{ event.occurred_at | date: "%a %H:%M" }} {{ event.payload.title }}' },
});
await client.notificationRules.create(workspaceId, {
  name: 'The week',
  notify_on: ['event.created'],
  types: ['release', 'incident'],
  destinations: [{ kind: 'email', roles: ['owner'] }],
  template_id,
  digest: { window_seconds: WEEK_SECONDS, max_items: 50 },
});
const titles = ['1.4.0 is out', 'Search was slow for an hour', '1.4.1 is out'];
for (const [day, title] of titles.entries()) {
  const type = title.endsWith('out') ? 'release' : 'incident';
  await client.events.publish(workspaceId, { type, source: 'ops', payload: { title } });
  ahead += (day + 1) * 24 * 60 * 60 * 1_000;
}
await client.events.publish(workspaceId, { type: 'chat', source: 'ops', payload: { title: 'Lunch?' } });
const collected = () => client.notificationRules.log(workspaceId, { status: 'collecting' }).toArray();
await until(async () => (await collected()).length === titles.length);
console.log(`before the end of the week: ${titles.length} collected, ${mails.length} emails`);
ahead += WEEK_SECONDS * 1_000;
await until(() => Promise.resolve(mails.length > 0));

// Decodes quoted-printable, which breaks lines at 76 characters.
const [sent = ''] = mails;
const mail = decodeURIComponent(
  sent
    .replaceAll('%', '%25')
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, '%$1'),
);
const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(mail)?.[1]?.trim();
console.log(`subject: ${header('Subject')}`);
for (const line of mail.split('\r\n').filter((each) => each.startsWith('•') && !each.includes('<')))
  console.log(line);
const good =
  mails.length === 1 &&
  header('Subject') === 'The week: 3 notifications' &&
  titles.every((title) => mail.includes(title)) &&
  header('Auto-Submitted') === 'auto-generated' &&
  mail.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
if (!good) console.error(`This is not what should have happened.\n${mail}`);
process.exitCode = good ? 0 : 1;

await server.stop();
await new Promise<void>((resolve) => smtp.close(() => resolve()));

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await done()) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
