/** The ways to publish an event from a terminal, with the URL of this server, so that they can be pasted as they are. */
export function publishSamples(workspaceId: string): Readonly<Record<string, string>> {
  const url = `${location.origin}/v1/workspaces/${workspaceId}/events`;
  const event = '{"type":"deploy","source":"ci","payload":{"service":"web","version":"1.4.2"}}';
  const curl = `curl ${url} \\
  -H "Authorization: Bearer $HUBLINE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${event}'`;
  const powershell = `Invoke-RestMethod ${url} -Method Post \`
  -Headers @{ Authorization = "Bearer $env:HUBLINE_API_KEY" } \`
  -ContentType application/json \`
  -Body '${event}'`;
  // The shell of the reader comes first.
  return navigator.userAgent.includes('Windows')
    ? { PowerShell: powershell, curl }
    : { curl, PowerShell: powershell };
}
