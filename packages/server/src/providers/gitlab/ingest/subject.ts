import { readPointer } from '../../../domain/json/json-pointer.ts';
import { firstText, firstUrl, type Pointers } from '../../../domain/events/reading.ts';
import type { SummaryEntity } from '../../../domain/events/summary/summary.ts';
import { isJsonObject } from '../../wire/json-body.ts';

/** The place of an event's subject in its payload. */
interface SubjectRule {
  kind: string;
  root: string;
  /** Its ID is `group/project#12`, as GitLab itself writes it and as `config.channel` takes it. */
  sign?: '#' | '!';
  id?: Pointers;
  name?: Pointers;
  url?: Pointers;
}

const ATTRIBUTES = '/object_attributes';

const SUBJECTS: ReadonlyMap<string, SubjectRule> = new Map(
  Object.entries<SubjectRule>({
    merge_request: { kind: 'merge_request', root: ATTRIBUTES, sign: '!' },
    issue: { kind: 'issue', root: ATTRIBUTES, sign: '#' },
    work_item: { kind: 'issue', root: ATTRIBUTES, sign: '#' },
    pipeline: {
      kind: 'pipeline',
      root: ATTRIBUTES,
      name: ['/object_attributes/name', '/object_attributes/ref'],
    },
    build: { kind: 'job', root: '', id: ['/build_id'], name: ['/build_name'], url: [] },
    release: { kind: 'release', root: '', id: ['/tag'], name: ['/name', '/tag'], url: ['/url'] },
    deployment: {
      kind: 'deployment',
      root: '',
      id: ['/deployment_id'],
      name: ['/environment'],
      url: ['/environment_external_url', '/deployable_url'],
    },
    wiki_page: { kind: 'wiki_page', root: ATTRIBUTES, id: ['/object_attributes/slug'] },
  }),
);

// The subject of a comment is the thing that it is written on.
const COMMENTED: readonly SubjectRule[] = [
  { kind: 'merge_request', root: '/merge_request', sign: '!' },
  { kind: 'issue', root: '/issue', sign: '#' },
  { kind: 'commit', root: '/commit', name: ['/commit/title', '/commit/message'] },
  { kind: 'snippet', root: '/snippet' },
];

/** The subject of an event. */
export function gitlabSubject(kind: string, payload: unknown): SummaryEntity | null {
  if (kind === 'push' || kind === 'tag_push') return refSubject(kind, payload);
  const rule = kind === 'note' ? commented(payload) : (SUBJECTS.get(kind) ?? { kind, root: ATTRIBUTES });
  if (!rule || !isJsonObject(readPointer(payload, rule.root))) return null;
  return subjectBy(rule, payload);
}

function subjectBy({ kind, root, sign, ...rule }: SubjectRule, payload: unknown): SummaryEntity {
  const project = firstText(payload, ['/project/path_with_namespace']);
  const number = sign === undefined ? null : firstText(payload, [`${root}/iid`]);
  return {
    kind,
    id:
      sign !== undefined && number !== null && project !== null
        ? `${project}${sign}${number}`
        : firstText(payload, rule.id ?? [`${root}/id`]),
    name: firstText(payload, rule.name ?? [`${root}/title`, `${root}/name`]),
    url: firstUrl(payload, rule.url ?? [`${root}/url`]),
  };
}

function commented(payload: unknown): SubjectRule | undefined {
  const rule = COMMENTED.find(({ root }) => isJsonObject(readPointer(payload, root)));
  return rule && { ...rule, url: ['/object_attributes/url', `${rule.root}/url`] };
}

// A push names its ref in full: `refs/heads/main`.
function refSubject(kind: string, payload: unknown): SummaryEntity {
  const ref = firstText(payload, ['/ref']) ?? '';
  return {
    kind: kind === 'tag_push' ? 'tag' : 'branch',
    id: ref || null,
    name: ref.replace(/^refs\/(?:heads|tags)\//, '') || null,
    url: firstUrl(payload, ['/project/web_url', '/repository/homepage']),
  };
}
