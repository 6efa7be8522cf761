import type { Organization } from '@/server/orgs/schema'
import type { Repository } from '@/server/repos/schema'
import type { Team } from '@/server/teams/schema'
import type { User } from '@/server/users/schema'
import type { HookBodies } from '../../payload/bodies'
import { type HookPayload, payload } from '../../payload/types'
import type { Hook } from '../../schema'

const site = 'https://forge.example.com'
const time = '2026-11-21T10:00:00Z'

// Formats read only a few fields of these objects; the others would only lengthen this file.
const userNamed = (id: number, username: string): User =>
  ({
    id,
    login: username,
    username,
    html_url: `${site}/${username}`,
    avatar_url: `${site}/avatars/${username}`,
  }) as User

const repositoryNamed = (name: string): Repository =>
  ({ id: 7, name, full_name: `acme/${name}`, html_url: `${site}/acme/${name}` }) as Repository

const ada = userNamed(1, 'ada')
const bob = userNamed(2, 'bob')
const repository = repositoryNamed('engine')
const organization = { id: 3, username: 'acme', name: 'acme' } as Organization
const team = { id: 4, name: 'developers', organization } as Team

/** User-supplied strings in a sample payload. */
export interface Texts {
  message: string
  author: string
  branch: string
}

export function pushOf(count: number, total: number, texts: Partial<Texts> = {}): HookPayload {
  const { message, author = 'Ada Lovelace', branch = 'main' } = texts
  const commits = Array.from({ length: count }, (_, at) => {
    const id = String(at + 1).repeat(40)
    return {
      id,
      message: message ?? `Add part ${count - at}\n\nIt was missing.`,
      url: `${repository.html_url}/commit/${id}`,
      author: { name: author, email: 'ada@example.com', username: 'ada' },
      committer: { name: author, email: 'ada@example.com', username: 'ada' },
      verification: null,
      timestamp: time,
      added: ['engine.c'],
      removed: [],
      modified: [],
    }
  })
  const ref = `refs/heads/${branch}`
  const compare_url = `${repository.html_url}/compare/${'0'.repeat(40)}...${'1'.repeat(40)}`
  return payload(
    'push',
    {
      ref,
      before: '0'.repeat(40),
      after: '1'.repeat(40),
      compare_url,
      commits,
      total_commits: total,
      head_commit: commits[0] ?? null,
      repository,
      pusher: ada,
      sender: ada,
    },
    ref,
  )
}

const base = { repository, sender: ada }

export const released = (changes: Partial<HookBodies['release']>, name = 'Version 1'): HookPayload =>
  payload('release', {
    ...base,
    action: 'published',
    release: {
      id: 9,
      tag_name: 'v1.0',
      target_commitish: 'main',
      name,
      body: 'Notes',
      url: `${site}/api/v1/repos/acme/engine/releases/9`,
      html_url: `${repository.html_url}/releases/tag/v1.0`,
      tarball_url: '',
      zipball_url: '',
      upload_url: '',
      draft: false,
      prerelease: false,
      created_at: time,
      published_at: time,
      author: ada,
      assets: [],
    },
    ...changes,
  })

type Run = HookBodies['workflow_run']['workflow_run']

export const runOf = (
  action: HookBodies['workflow_run']['action'],
  conclusion?: Run['conclusion'],
  title = 'Add part 1',
): HookPayload =>
  payload('workflow_run', {
    ...base,
    action,
    workflow: {
      id: 'ci.yml',
      name: 'CI',
      path: '.gitea/workflows/ci.yml',
      state: 'active',
      created_at: time,
      updated_at: time,
      url: '',
      html_url: '',
      badge_url: '',
    },
    workflow_run: {
      id: 12,
      url: '',
      html_url: `${repository.html_url}/actions/runs/12`,
      display_title: title,
      path: '.gitea/workflows/ci.yml',
      event: 'push',
      run_attempt: 1,
      run_number: 12,
      head_sha: '1'.repeat(40),
      status: action === 'completed' ? 'completed' : 'queued',
      conclusion,
      previous_attempt_url: null,
      repository_id: repository.id,
      actor: ada,
      trigger_actor: ada,
      repository,
      pull_requests: null,
      created_at: time,
      started_at: time,
      completed_at: time,
    },
  })

export const jobOf = (
  action: HookBodies['workflow_job']['action'],
  conclusion?: Run['conclusion'],
): HookPayload =>
  payload('workflow_job', {
    ...base,
    action,
    workflow_job: {
      id: 13,
      url: '',
      html_url: `${repository.html_url}/actions/runs/12/jobs/0`,
      run_id: 12,
      name: 'build',
      labels: [],
      head_sha: '1'.repeat(40),
      status: action,
      conclusion,
      run_url: '',
      needs: [],
      run_attempt: 1,
      runner_name: '',
      steps: [],
      created_at: time,
      started_at: time,
      completed_at: time,
    },
  })

const statusOf = (state: HookBodies['status']['state'], context: string): HookPayload =>
  payload('status', {
    ...base,
    id: 1,
    sha: '1'.repeat(40),
    context,
    state,
    description: '12 tests passed',
    target_url: 'https://ci.example.com/1',
    created_at: time,
    updated_at: time,
    commit: null,
  })

const inOrganization = { organization, sender: ada }
const ofOrganization = (body: Omit<HookBodies['organization'], keyof typeof inOrganization>) =>
  payload('organization', { ...inOrganization, ...body })
const ofTeam = (action: HookBodies['team']['action']) =>
  payload('team', { ...inOrganization, action, team, ...(action.includes('repository') && { repository }) })
const ofKey = (action: HookBodies['key']['action'], user: User) =>
  payload('key', {
    action,
    key: { id: 5, title: 'laptop', fingerprint: 'SHA256:abc' } as HookBodies['key']['key'],
    user,
    sender: ada,
  })
const ofRunner = (action: HookBodies['runner']['action'], where: object) =>
  payload('runner', {
    action,
    runner: { id: 6, name: 'mill', status: 'online', labels: [] },
    sender: ada,
    ...where,
  })
const ofArtifact = (action: HookBodies['artifact']['action']) =>
  payload('artifact', {
    ...base,
    action,
    artifact: { id: 8, name: 'dist', size_in_bytes: 1_000, url: '', expires_at: time },
  })

/** Payloads, each with the sentence that chats show for it. */
export const samples: readonly [HookPayload, string][] = [
  [pushOf(2, 2), 'ada pushed 2 commits to main in acme/engine'],
  [pushOf(1, 1, { branch: 'fix/ü' }), 'ada pushed 1 commit to fix/ü in acme/engine'],
  [pushOf(5, 12), 'ada pushed 12 commits to main in acme/engine'],
  [
    payload('create', { ...base, sha: '1'.repeat(40), ref: 'fix/ü', ref_type: 'branch' }),
    'ada created the branch fix/ü in acme/engine',
  ],
  [
    payload('create', { ...base, sha: '1'.repeat(40), ref: 'v1.0', ref_type: 'tag' }),
    'ada created the tag v1.0 in acme/engine',
  ],
  [
    payload('delete', { ...base, ref: 'v1.0', ref_type: 'tag', pusher_type: 'user' }),
    'ada deleted the tag v1.0 in acme/engine',
  ],
  [
    payload('repository', { ...base, action: 'created', organization: ada }),
    'ada created the repository acme/engine',
  ],
  [
    payload('repository', { ...base, action: 'deleted', organization: ada }),
    'ada deleted the repository acme/engine',
  ],
  [released({}), 'ada published the release Version 1 in acme/engine'],
  [released({ action: 'updated' }, ''), 'ada updated the release v1.0 in acme/engine'],
  [released({ action: 'deleted' }), 'ada deleted the release Version 1 in acme/engine'],
  [runOf('requested'), 'ada started CI #12 in acme/engine'],
  [runOf('in_progress'), 'CI #12 in acme/engine is running'],
  [runOf('completed', 'success'), 'CI #12 in acme/engine succeeded'],
  [runOf('completed', 'failure'), 'CI #12 in acme/engine failed'],
  [runOf('completed', 'cancelled'), 'CI #12 in acme/engine was canceled'],
  [runOf('completed', 'skipped'), 'CI #12 in acme/engine was skipped'],
  [runOf('completed'), 'CI #12 in acme/engine ended'],
  [jobOf('queued'), 'The job build in acme/engine is queued'],
  [jobOf('waiting'), 'The job build in acme/engine is waiting'],
  [jobOf('completed', 'failure'), 'The job build in acme/engine failed'],
  [statusOf('success', 'ci/test'), 'ci/test of 1111111111 in acme/engine: success'],
  [statusOf('failure', ''), 'status of 1111111111 in acme/engine: failure'],
  [ofOrganization({ action: 'created' }), 'ada created the organization acme'],
  [
    ofOrganization({ action: 'edited', changes: { fields: ['website', 'location'] } }),
    'ada changed the organization acme: website, location',
  ],
  [
    ofOrganization({ action: 'renamed', changes: { name: { from: 'ajax' } } }),
    'ada renamed the organization acme from ajax',
  ],
  [ofOrganization({ action: 'deleted' }), 'ada deleted the organization acme'],
  [ofOrganization({ action: 'member_added', member: bob }), 'ada added bob to acme'],
  [ofOrganization({ action: 'member_removed', member: bob }), 'ada removed bob from acme'],
  [ofOrganization({ action: 'member_removed', member: ada }), 'ada left acme'],
  [ofTeam('created'), 'ada created the team developers in acme'],
  [ofTeam('edited'), 'ada changed the team developers in acme'],
  [ofTeam('deleted'), 'ada deleted the team developers in acme'],
  [ofTeam('added_to_repository'), 'ada gave the team developers in acme access to acme/engine'],
  [ofTeam('removed_from_repository'), 'ada removed access to acme/engine from the team developers in acme'],
  [
    payload('membership', { ...inOrganization, action: 'added', scope: 'team', member: bob, team }),
    'ada added bob to the team developers in acme',
  ],
  [
    payload('membership', { ...inOrganization, action: 'removed', scope: 'team', member: ada, team }),
    'ada left the team developers in acme',
  ],
  [ofKey('created', ada), 'ada added the key laptop (SHA256:abc)'],
  [ofKey('deleted', bob), 'ada deleted the key laptop (SHA256:abc) for bob'],
  [ofRunner('registered', { organization }), 'ada registered the runner mill in acme'],
  [ofRunner('edited', { repository }), 'ada changed the runner mill in acme/engine'],
  [ofRunner('deleted', {}), 'ada deleted the runner mill'],
  [ofArtifact('created'), 'ada created the artifact dist in acme/engine'],
  [ofArtifact('deleted'), 'ada deleted the artifact dist in acme/engine'],
  [ofArtifact('expired'), 'The artifact dist in acme/engine expired'],
  [payload('ping', { hook_id: 5, hook: {} as Hook, organization, sender: ada }), 'ada sent a test message'],
]

/** The first sample payload of each event type. */
export const samplesByType: Readonly<Record<string, HookPayload>> = Object.fromEntries(
  samples
    .filter(([{ eventType }], at) => samples.findIndex(([other]) => other.eventType === eventType) === at)
    .map(([payload]) => [payload.eventType, payload]),
)

/**
 * Returns sample payloads in which every user-supplied string is `text`: two pushes, a release, a workflow
 * run, and a team.
 */
export function samplesSaying(text: string): HookPayload[] {
  const push = pushOf(5, 9, { message: text, author: text, branch: text })
  const named = { ...repository, full_name: text, html_url: text }
  const sender = { ...ada, username: text, html_url: text, avatar_url: text }
  return [
    push,
    { ...push, body: { ...push.body, repository: named, sender, compare_url: text } } as HookPayload,
    released({}, text),
    runOf('completed', 'failure', text),
    payload('team', { ...inOrganization, action: 'created', team: { ...team, name: text } }),
  ]
}
