import { BRANCHES, ENGINEERS, type Person, REMARKS, REPOSITORIES, WORK } from '../cast.ts';
import { countAt, type ToolMoment, type ToolCall } from './tool.ts';

const ORGANIZATION = 'fernhill';

/** GitHub: pushes, pull requests, reviews, checks, and now and then an alert. Shapes: docs.github.com, "Webhook events and payloads". */
export function github(moment: ToolMoment): ToolCall {
  const { random } = moment;
  const happened = random.weighted([
    [22, push],
    [20, pullRequest],
    [12, review],
    [12, comment],
    [18, checkRun],
    [14, workflowRun],
    [6, issue],
    [1, release],
    [0.6, dependabotAlert],
  ]);
  const { event, ...body } = happened(moment, random.pick(ENGINEERS));
  return {
    headers: {
      'x-github-event': event,
      'x-github-delivery': random.uuid(),
      'content-type': 'application/json',
    },
    body,
  };
}

interface Body {
  event: string;
  [field: string]: unknown;
}

const user = ({ login, slack }: Person) => ({
  login,
  id: 20_000 + slack.charCodeAt(5) * 37,
  type: 'User',
  html_url: `https://github.com/${login}`,
});

function repository({ random }: ToolMoment) {
  const name = random.pick(REPOSITORIES);
  return {
    id: 61_000 + name.length,
    name,
    full_name: `${ORGANIZATION}/${name}`,
    private: true,
    html_url: `https://github.com/${ORGANIZATION}/${name}`,
    default_branch: 'main',
  };
}

type Repository = ReturnType<typeof repository>;

const around = (actor: Person, where: Repository) => ({
  repository: where,
  organization: { login: ORGANIZATION, id: 91_204 },
  sender: user(actor),
});

function pull(moment: ToolMoment, author: Person, where: Repository) {
  const { random, now } = moment;
  const number = countAt(moment, { from: 400, everyMinutes: 95 }) - random.integer(0, 9);
  return {
    id: 2_148_000_000 + number,
    number,
    state: 'open',
    draft: random.chance(0.1),
    merged: false,
    title: random.pick(WORK),
    user: user(author),
    html_url: `${where.html_url}/pull/${number}`,
    labels: random.chance(0.5) ? [{ name: random.pick(['payments', 'bug', 'performance']) }] : [],
    head: { ref: random.pick(BRANCHES), sha: random.hex(40) },
    base: { ref: 'main', sha: random.hex(40) },
    commits: random.integer(1, 7),
    additions: random.integer(2, 420),
    deletions: random.integer(0, 160),
    changed_files: random.integer(1, 18),
    updated_at: now.toISOString(),
  };
}

function push(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const commits = Array.from(
    {
      length: random.weighted([
        [6, 1],
        [3, 2],
        [1, 4],
      ]),
    },
    () => ({
      id: random.hex(40),
      message: random.pick(WORK),
      timestamp: now.toISOString(),
      author: { name: actor.name, email: actor.email, username: actor.login },
      added: [],
      modified: [`src/${random.pick(['capture', 'refunds', 'cart', 'receipts'])}.ts`],
      removed: [],
    }),
  );
  const head = commits.at(-1);
  return {
    event: 'push',
    ref: `refs/heads/${random.pick(BRANCHES)}`,
    before: random.hex(40),
    after: head?.id,
    compare: `${where.html_url}/compare/${random.hex(12)}...${head?.id.slice(0, 12)}`,
    forced: false,
    commits,
    head_commit: head,
    pusher: { name: actor.login, email: actor.email },
    ...around(actor, { ...where, pushed_at: Math.floor(now.getTime() / 1_000) } as Repository),
  };
}

function pullRequest(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const action = random.weighted([
    [4, 'opened'],
    [4, 'synchronize'],
    [3, 'closed'],
    [1, 'ready_for_review'],
  ]);
  const opened = pull(moment, actor, where);
  const merged = { state: 'closed', merged: true, merged_at: now.toISOString(), merged_by: user(actor) };
  return {
    event: 'pull_request',
    action,
    number: opened.number,
    pull_request: { ...opened, ...(action === 'closed' ? merged : {}) },
    ...around(actor, where),
  };
}

function review(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const under = pull(moment, random.pick(ENGINEERS), where);
  const state = random.weighted([
    [5, 'approved'],
    [3, 'commented'],
    [1, 'changes_requested'],
  ]);
  return {
    event: 'pull_request_review',
    action: 'submitted',
    review: {
      id: random.integer(1e9, 2e9),
      state,
      body: state === 'approved' ? null : random.pick(REMARKS),
      user: user(actor),
      submitted_at: now.toISOString(),
      html_url: `${under.html_url}#pullrequestreview-${random.integer(1e6, 9e6)}`,
    },
    pull_request: under,
    ...around(actor, where),
  };
}

function comment(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const { title, number, html_url: url, user: author } = pull(moment, random.pick(ENGINEERS), where);
  return {
    event: 'issue_comment',
    action: 'created',
    issue: {
      id: 9e8 + number,
      number,
      title,
      state: 'open',
      user: author,
      html_url: url,
      pull_request: { html_url: url },
    },
    comment: {
      id: random.integer(1e9, 2e9),
      body: random.pick(REMARKS),
      user: user(actor),
      html_url: `${url}#issuecomment-${random.integer(1e6, 9e6)}`,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    },
    ...around(actor, where),
  };
}

const CHECKS = ['CI / unit', 'CI / integration', 'CI / types', 'CI / end to end', 'Coverage'] as const;

function checkRun(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const id = random.integer(3e10, 4e10);
  return {
    event: 'check_run',
    action: 'completed',
    check_run: {
      id,
      name: random.pick(CHECKS),
      head_sha: random.hex(40),
      status: 'completed',
      conclusion: random.chance(0.07) ? 'failure' : 'success',
      started_at: new Date(now.getTime() - random.integer(40, 600) * 1_000).toISOString(),
      completed_at: now.toISOString(),
      html_url: `${where.html_url}/runs/${id}`,
      app: { slug: 'github-actions', name: 'GitHub Actions' },
    },
    ...around(actor, where),
  };
}

const WORKFLOWS = ['Deploy to staging', 'Nightly', 'Release', 'Publish images', 'CodeQL'] as const;

function workflowRun(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const id = random.integer(1e10, 2e10);
  return {
    event: 'workflow_run',
    action: 'completed',
    workflow_run: {
      id,
      name: random.pick(WORKFLOWS),
      display_title: random.pick(WORK),
      run_number: countAt(moment, { from: 2_000, everyMinutes: 22 }),
      event: 'push',
      status: 'completed',
      conclusion: random.chance(0.06) ? 'failure' : 'success',
      head_branch: random.pick(BRANCHES),
      head_sha: random.hex(40),
      html_url: `${where.html_url}/actions/runs/${id}`,
      updated_at: now.toISOString(),
    },
    ...around(actor, where),
  };
}

function issue(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const number = countAt(moment, { from: 380, everyMinutes: 140 });
  return {
    event: 'issues',
    action: random.pick(['opened', 'closed', 'labeled', 'assigned']),
    issue: {
      id: 8e8 + number,
      number,
      title: random.pick(WORK),
      state: 'open',
      user: user(actor),
      labels: [{ name: random.pick(['bug', 'needs-triage', 'customer']) }],
      html_url: `${where.html_url}/issues/${number}`,
      updated_at: now.toISOString(),
    },
    ...around(actor, where),
  };
}

function release(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const tag = `v4.${random.integer(2, 9)}.${random.integer(0, 6)}`;
  return {
    event: 'release',
    action: 'published',
    release: {
      id: random.integer(1e8, 2e8),
      tag_name: tag,
      name: `${where.name} ${tag}`,
      draft: false,
      prerelease: false,
      body: `- ${random.pick(WORK)}\n- ${random.pick(WORK)}`,
      html_url: `${where.html_url}/releases/tag/${tag}`,
      published_at: now.toISOString(),
    },
    ...around(actor, where),
  };
}

const ADVISORIES = [
  ['high', 'Request smuggling in an HTTP client', 'undici'],
  ['critical', 'Prototype pollution in a query parser', 'qs'],
  ['medium', 'Regular expression denial of service', 'semver'],
] as const;

function dependabotAlert(moment: ToolMoment, actor: Person): Body {
  const { random, now } = moment;
  const where = repository(moment);
  const [severity, summary, name] = random.pick(ADVISORIES);
  const number = random.integer(20, 90);
  return {
    event: 'dependabot_alert',
    action: 'created',
    alert: {
      number,
      state: 'open',
      dependency: { package: { ecosystem: 'npm', name }, manifest_path: 'pnpm-lock.yaml' },
      security_advisory: {
        ghsa_id: `GHSA-${random.hex(4)}-${random.hex(4)}-${random.hex(4)}`,
        summary,
        severity,
      },
      html_url: `${where.html_url}/security/dependabot/${number}`,
      created_at: now.toISOString(),
    },
    ...around(actor, where),
  };
}
