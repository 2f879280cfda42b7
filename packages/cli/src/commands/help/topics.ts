/** Topics that need more than the help of one command. */
export interface Topic {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

const formatting = `On a terminal, lists are tables, and a single item has one field per line. In a
pipe, lists are tab-separated: no header, full values, full timestamps; tabs,
line breaks and backslashes in values are escaped (\\t, \\n, \\\\).

  --json                all fields as JSON; a list is one array
  --json=email,role     these fields; --json= lists the available ones
  --ndjson              one JSON document per line
  --jq '.[].email'      the result of jq; strings without quotes
  --ndjson --jq .email  the same for each item
  --template '{{email}} is {{role}}'
                        each item through a template: {{field}},
                        {{field.inner}}, {{json field}}, \\n, \\t
  -o csv | yaml | table | tsv | json | ndjson | id
  -q                    IDs only

A secret that is shown only once, such as a new key, is in every format. If
fields, a template or jq leave it out, it is on stderr. -q prints it after the
ID and a tab:

  hubline key create --name ci -q | cut -f2 > key.txt

Commands that keep running (event tail, listen) print one document per line with
--json. Control characters and characters that hide or reorder text are escaped
on a terminal, in every format. In a pipe or a file they are left as they are;
in CSV, text that a spreadsheet would run as a formula gets a quote in front.

More than a screen of help, or of the output of list and get, goes through a
pager: that of HUBLINE_PAGER, of hubline config set pager, of PAGER, or less.
Leaving it early is not a failure: exit code 0. No pager is used with
--no-pager, with an empty HUBLINE_PAGER or cat, in a pipe, with CI or TERM=dumb,
or if there is no such program.
`;

const filters = `Times are ISO 8601 (2026-01-31T12:00:00Z, 2026-01-31) or a duration ago (30s,
10m, 2h, 7d):

  hubline event list --type push --source github --since 2h
  hubline delivery list --status failed --since 6h --webhook whk_...
  hubline audit list --actor usr_... --action member.invited --since 30d

Lists print 20 items unless --limit or --all says otherwise, and say when there
are more. What the server does not filter, jq can:

  hubline event list --all --jq '.[] | select(.payload.ref == "x") | .event_id'
  hubline listen http://localhost:3000 --filter '.data.payload.action == "open"'
`;

const webhooks = `Develop a receiver without a public address:

  hubline listen --print-secret > .hook-secret
  hubline listen http://localhost:3000/hook
  hubline trigger push
  hubline trigger user.invited --to http://localhost:3000/hook

Every call carries X-Service-Signature (hex HMAC-SHA256 of the body) and the
headers of Standard Webhooks. Check one by hand:

  hubline signature verify body.json --secret-file .hook-secret -H "$SIGNATURE"

Record the calls, and send them again after a change:

  hubline listen http://localhost:3000/hook --record events.ndjson
  hubline replay events.ndjson --to http://localhost:3000/hook

In production, find out what was not delivered, and send it again:

  hubline delivery list --status failed --since 6h
  hubline delivery attempts dlv_...
  hubline delivery retry --status failed --since 6h --dry-run
`;

const scripting = `stdout is data, stderr is everything else. The exit code says what happened:
see hubline help exit-codes.

  export HUBLINE_API_KEY_FILE=/run/secrets/hubline HUBLINE_NO_INPUT=1
  id=$(hubline webhook create --url "$URL" --trigger '*' --secret-file key -q)
  hubline event publish --type deploy --payload @deploy.json -q |
    xargs hubline wait event
  hubline member invite -F people.csv --ndjson > result.ndjson || test $? -eq 10

No command waits for an answer that nobody can give: a question ends with exit
code 2 and names the flag to use. Writes are safe to retry: each carries an
idempotency key, which stays the same on retries. Errors with --json are one
line on stderr: {"error":{"code","message","status","request_id","details",
"hint","exit_code"}}

With --dry-run every command reads as usual and changes nothing, neither on the
server nor on this machine. It prints what it would do, one step for each
request of a bulk command, and asks for no confirmation:

  hubline member remove li@acme.test sam@acme.test --dry-run

With --json that is one array, whatever the command, with secrets masked:
[{"what","method","path","idempotency_key","body"}]. A change on this machine,
which is not a request, has only "what"; the rest is null.

A dry run refuses what the server would refuse for its form (fields, conditions,
templates, schedules), and looks up the workspace, webhooks, integrations,
templates and events that a request names. It cannot know the rest: what the
key may do, limits and conflicts, URLs that the server does not call, IDs of
members, whether an integration can do the action, and what others change
meanwhile. An ID that the key may not read counts as found. Several documents or
IDs that are refused are listed after the steps, with exit code 10.
`;

/** The topics of `hubline help` that are texts. */
export const topics: readonly Topic[] = [
  { name: 'formatting', title: 'Formats of the output', text: formatting },
  { name: 'filters', title: 'Filters', text: filters },
  { name: 'webhooks', title: 'Webhooks', text: webhooks },
  { name: 'scripting', title: 'Scripts', text: scripting },
];
