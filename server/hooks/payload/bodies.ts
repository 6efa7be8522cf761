import type { Job, Run, WorkflowEntry } from '@/server/actions/schema'
import type { PublicKey } from '@/server/keys/schema'
import type { Organization } from '@/server/orgs/schema'
import type { Release } from '@/server/releases/schema'
import type { Repository } from '@/server/repos/schema'
import type { StatusState } from '@/server/statuses/schema'
import type { Team } from '@/server/teams/schema'
import type { User } from '@/server/users/schema'
import type { Hook } from '../schema'

/**
 * Payload bodies by event type. The first eight types are Gitea's.
 */
export interface HookBodies {
  create: CreateBody
  delete: DeleteBody
  push: PushBody
  repository: RepositoryBody
  release: ReleaseBody
  status: StatusBody
  workflow_run: WorkflowRunBody
  workflow_job: WorkflowJobBody
  organization: OrganizationBody
  team: TeamBody
  membership: MembershipBody
  key: KeyBody
  runner: RunnerBody
  artifact: ArtifactBody
  /** Body of a ping, which is sent when a user requests it rather than for an event. */
  ping: PingBody
}

interface InRepository {
  repository: Repository
  sender: User
}

/** Payload body for the creation of a branch or tag. */
export interface CreateBody extends InRepository {
  sha: string
  /** Name of the branch or tag, without `refs/heads/` or `refs/tags/`. */
  ref: string
  ref_type: 'branch' | 'tag'
}

/** Payload body for the deletion of a branch or tag. */
export interface DeleteBody extends InRepository {
  /** Name of the branch or tag, without `refs/heads/` or `refs/tags/`. */
  ref: string
  ref_type: 'branch' | 'tag'
  pusher_type: 'user' | 'deploy_key'
}

/** Payload body for a push to a branch or tag, including the creation of either and the deletion of a tag. */
export interface PushBody extends InRepository {
  /** Full name of the ref, such as `refs/heads/main`. */
  ref: string
  before: string
  after: string
  /** URL that compares the ref before and after the push; empty if there is nothing to compare. */
  compare_url: string
  /** The newest commits of the push, at most five, newest first. */
  commits: PushedCommitBody[]
  total_commits: number
  head_commit: PushedCommitBody | null
  pusher: User
}

export interface PushedCommitBody {
  id: string
  message: string
  url: string
  author: CommitPerson
  committer: CommitPerson
  /** Always null, because Guildhall does not verify commit signatures. */
  verification: null
  timestamp: string
  /** Paths of the files that the commit added, relative to the root of the repository. */
  added: string[]
  removed: string[]
  modified: string[]
}

interface CommitPerson {
  name: string
  email: string
  /**
   * Username of the account with this email address; empty if there is none or if the account hides its
   * address.
   */
  username: string
}

export interface RepositoryBody extends InRepository {
  /** What happened to the repository. A transfer is sent to the webhooks of the new owner. */
  action: 'created' | 'transferred' | 'deleted'
  /** The repository's owner, which can be an organization or a user. */
  organization: User
}

export interface ReleaseBody extends InRepository {
  action: 'published' | 'updated' | 'deleted'
  release: Release
}

export interface StatusBody extends InRepository {
  /** Number of the status within the commit. */
  id: number
  sha: string
  context: string
  state: StatusState
  description: string
  target_url: string
  created_at: string
  updated_at: string
  /** Null if the commit cannot be read, for example because it was removed from the repository. */
  commit: PushedCommitBody | null
}

interface InWorkflow extends InRepository {
  organization?: Organization
}

export interface WorkflowRunBody extends InWorkflow {
  action: 'requested' | 'in_progress' | 'completed'
  workflow: WorkflowEntry
  /** The run, as of the attempt that the event is about. */
  workflow_run: Run
}

export interface WorkflowJobBody extends InWorkflow {
  action: Job['status']
  workflow_job: Job
}

interface InOrganization {
  organization: Organization
  sender: User
}

export interface OrganizationBody extends InOrganization {
  action: 'created' | 'edited' | 'renamed' | 'deleted' | 'member_added' | 'member_removed'
  /** The person who joined or left the organization. */
  member?: User
  /** The changed fields if the action is `edited`, or the previous name if it is `renamed`. */
  changes?: { fields: string[] } | { name: { from: string } }
}

export interface TeamBody extends InOrganization {
  action: 'created' | 'edited' | 'deleted' | 'added_to_repository' | 'removed_from_repository'
  team: Team
  repository?: Repository
}

export interface MembershipBody extends InOrganization {
  action: 'added' | 'removed'
  scope: 'team'
  member: User
  team: Team
}

export interface KeyBody {
  action: 'created' | 'deleted'
  key: PublicKey
  /** The owner of the key. */
  user: User
  sender: User
}

export interface RunnerBody {
  action: 'registered' | 'edited' | 'deleted'
  runner: { id: number; name: string; status: 'online' | 'offline'; labels: string[] }
  organization?: Organization
  repository?: Repository
  sender: User
}

export interface ArtifactBody extends InRepository {
  action: 'created' | 'deleted' | 'expired'
  artifact: { id: number; name: string; size_in_bytes: number; url: string; expires_at: string }
}

export interface PingBody {
  hook_id: number
  hook: Hook
  /** The organization that the webhook belongs to, or that owns the webhook's repository. */
  organization?: Organization
  repository?: Repository
  sender: User
}
