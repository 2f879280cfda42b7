import { readPointer } from '../../../domain/json/json-pointer.ts';
import { firstText, firstUrl, type Pointers } from '../../../domain/events/reading.ts';
import type { SummaryEntity } from '../../../domain/events/summary/summary.ts';
import { isJsonObject } from '../../wire/json-body.ts';

/** The place of an event's subject in its payload. Parts that are left out are found under their usual names. */
interface SubjectRule {
  kind: string;
  root: string;
  /** Its ID is `owner/repo#number`, as GitHub itself writes it and as `config.channel` takes it. */
  numbered?: true;
  id?: Pointers;
  name?: Pointers;
  url?: Pointers;
}

const PULL_REQUEST: SubjectRule = { kind: 'pull_request', root: '/pull_request', numbered: true };
const ISSUE: SubjectRule = { kind: 'issue', root: '/issue', numbered: true };
const DISCUSSION: SubjectRule = { kind: 'discussion', root: '/discussion', numbered: true };
const REPOSITORY: SubjectRule = { kind: 'repository', root: '/repository', id: ['/repository/full_name'] };
const INSTALLATION: SubjectRule = {
  kind: 'installation',
  root: '/installation',
  name: ['/installation/account/login'],
};
const USER: SubjectRule = { kind: 'user', root: '/member' };
const onPullRequest = (part: string): SubjectRule => ({
  ...PULL_REQUEST,
  url: [`/${part}/html_url`, '/pull_request/html_url'],
});

// Alternatives in order: the first whose root exists applies. The subject of an event that is not listed is the object
// under the event's own name.
const SUBJECTS: ReadonlyMap<string, readonly SubjectRule[]> = new Map(
  Object.entries<readonly SubjectRule[]>({
    branch_protection_rule: [{ kind: 'rule', root: '/rule' }],
    check_suite: [
      {
        kind: 'check_suite',
        root: '/check_suite',
        name: ['/check_suite/head_branch', '/check_suite/head_sha'],
      },
    ],
    code_scanning_alert: [
      { kind: 'alert', root: '/alert', name: ['/alert/rule/description', '/alert/rule/id'] },
    ],
    commit_comment: [
      { kind: 'commit', root: '/comment', id: ['/comment/commit_id'], name: ['/comment/commit_id'] },
    ],
    dependabot_alert: [{ kind: 'alert', root: '/alert', name: ['/alert/security_advisory/summary'] }],
    deploy_key: [{ kind: 'key', root: '/key' }],
    deployment_review: [{ kind: 'workflow_run', root: '/workflow_run' }],
    deployment_status: [
      {
        kind: 'deployment',
        root: '/deployment',
        url: ['/deployment_status/target_url', '/deployment_status/log_url'],
      },
    ],
    discussion: [DISCUSSION],
    discussion_comment: [{ ...DISCUSSION, url: ['/comment/html_url', '/discussion/html_url'] }],
    fork: [{ kind: 'repository', root: '/forkee', id: ['/forkee/full_name'] }],
    github_app_authorization: [],
    gollum: [{ kind: 'page', root: '/pages/0', id: ['/pages/0/page_name'] }],
    installation: [INSTALLATION],
    installation_repositories: [INSTALLATION],
    issue_comment: [{ ...ISSUE, url: ['/comment/html_url', '/issue/html_url'] }],
    issues: [ISSUE],
    marketplace_purchase: [
      {
        kind: 'account',
        root: '/marketplace_purchase/account',
        id: ['/marketplace_purchase/account/login'],
      },
    ],
    member: [USER],
    membership: [USER],
    merge_group: [
      {
        kind: 'merge_group',
        root: '/merge_group',
        id: ['/merge_group/head_sha'],
        name: ['/merge_group/head_ref'],
      },
    ],
    meta: [{ kind: 'hook', root: '/hook' }],
    org_block: [{ kind: 'user', root: '/blocked_user' }],
    organization: [
      { kind: 'user', root: '/membership/user' },
      { kind: 'invitation', root: '/invitation' },
      { kind: 'organization', root: '/organization' },
    ],
    page_build: [{ kind: 'page_build', root: '/build', id: ['/id'], name: ['/build/commit'] }],
    project_card: [{ kind: 'project_card', root: '/project_card', name: ['/project_card/note'] }],
    public: [REPOSITORY],
    pull_request: [PULL_REQUEST],
    pull_request_review: [onPullRequest('review')],
    pull_request_review_comment: [onPullRequest('comment')],
    pull_request_review_thread: [PULL_REQUEST],
    repository: [REPOSITORY],
    repository_dispatch: [REPOSITORY],
    repository_import: [REPOSITORY],
    repository_vulnerability_alert: [
      { kind: 'alert', root: '/alert', name: ['/alert/affected_package_name'] },
    ],
    secret_scanning_alert: [
      { kind: 'alert', root: '/alert', name: ['/alert/secret_type_display_name', '/alert/secret_type'] },
    ],
    security_advisory: [
      {
        kind: 'advisory',
        root: '/security_advisory',
        id: ['/security_advisory/ghsa_id'],
        url: ['/security_advisory/references/0/url'],
      },
    ],
    sponsorship: [
      {
        kind: 'sponsorship',
        root: '/sponsorship',
        name: ['/sponsorship/sponsor/login'],
        url: ['/sponsorship/sponsor/html_url'],
      },
    ],
    star: [REPOSITORY],
    status: [
      {
        kind: 'commit',
        root: '/commit',
        id: ['/sha'],
        name: ['/commit/commit/message'],
        url: ['/target_url', '/commit/html_url'],
      },
    ],
    team_add: [{ kind: 'team', root: '/team' }],
    watch: [REPOSITORY],
    workflow_dispatch: [{ kind: 'workflow', root: '', id: ['/workflow'], name: ['/workflow'], url: [] }],
    workflow_run: [
      { kind: 'workflow_run', root: '/workflow_run', name: ['/workflow_run/name', '/workflow_run/path'] },
    ],
  }),
);

const IDS = ['/id', '/number', '/node_id'];
const NAMES = [
  '/title',
  '/display_title',
  '/full_name',
  '/name',
  '/tag_name',
  '/summary',
  '/environment',
  '/login',
  '/email',
];
const URLS = ['/html_url'];

/** The rule for a payload; `null` when the event has no subject. */
export function githubSubjectRule(event: string, payload: unknown): SubjectRule | null {
  const rules = SUBJECTS.get(event) ?? [{ kind: event, root: `/${event}` }];
  return rules.find(({ root }) => isJsonObject(readPointer(payload, root))) ?? null;
}

/** Reports whether an event is about a branch or a tag. */
export function isRefEvent(event: string): boolean {
  return event === 'push' || event === 'create' || event === 'delete';
}

/** The subject of an event. */
export function githubSubject(event: string, payload: unknown): SummaryEntity | null {
  if (isRefEvent(event)) return refSubject(payload);
  const rule = githubSubjectRule(event, payload);
  if (!rule) return null;
  const under = (names: Pointers): Pointers => names.map((name) => rule.root + name);
  const repository = firstText(payload, ['/repository/full_name']);
  const number = rule.numbered ? firstText(payload, [`${rule.root}/number`]) : null;
  return {
    kind: rule.kind,
    id:
      number !== null && repository !== null
        ? `${repository}#${number}`
        : firstText(payload, rule.id ?? under(IDS)),
    name: firstText(payload, rule.name ?? under(NAMES)),
    url: firstUrl(payload, rule.url ?? under(URLS)),
  };
}

// A push has its ref in full (`refs/heads/main`); a creation has the short name, and the kind in `ref_type`.
function refSubject(payload: unknown): SummaryEntity {
  const ref = firstText(payload, ['/ref']) ?? '';
  const isTag = ref.startsWith('refs/tags/') || readPointer(payload, '/ref_type') === 'tag';
  return {
    kind: isTag ? 'tag' : 'branch',
    id: ref || null,
    name: ref.replace(/^refs\/(?:heads|tags)\//, '') || null,
    url: firstUrl(payload, ['/compare', '/repository/html_url']),
  };
}
