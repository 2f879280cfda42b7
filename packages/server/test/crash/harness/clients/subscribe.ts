/** The secret that signs the calls to the webhooks of the witness. */
export const SECRET = 'a secret that only the webhooks know';

/** Registers a webhook for every event. Returns its ID. */
export async function subscribe(
  baseUrl: string,
  at: { apiKey: string; workspaceId: string; witness: string; path: string },
): Promise<string> {
  const response = await fetch(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${at.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      workspace_id: at.workspaceId,
      url: `${at.witness}${at.path}`,
      events: ['event.created'],
      secret: SECRET,
    }),
  });
  const { id } = (await response.json()) as { id?: string };
  if (id === undefined) throw new Error(`A webhook was refused with ${response.status}.`);
  return id;
}
