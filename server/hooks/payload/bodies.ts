import type { Job, Run, WorkflowEntry } from '@/server/actions/schema'
import type { PublicKey } from '@/server/keys/schema'
import type { Organization } from '@/server/orgs/schema'
import type { Release } from '@/server/releases/schema'
import type { Repository } from '@/server/repos/schema'
import type { Team } from '@/server/teams/schema'
import type { User } from '@/server/users/schema'
import type { Hook } from '../schema'

/** What each type of event sends, by the type's exact name. The first ten are Gitea's. */
export interface HookBodies {
  create: CreateBody
  delete: DeleteBody
  push: PushBody
  repository: RepositoryBody
  release: ReleaseBody
  workflow_run: WorkflowRunBody
  workflow_job: WorkflowJobBody
  organization: OrganizationBody
  team: TeamBody
  membership: MembershipBody
  key: KeyBody
  runner: RunnerBody
  artifact: ArtifactBody
  /** No event: somebody asked whether messages arrive. */
  ping: PingBody
}

interface InRepository {
  repository: Repository
  sender: User
}

/** A branch or tag was made. */
export interface CreateBody extends InRepository {
  sha: string
  /** Without `refs/heads/` or `refs/tags/`. */
  ref: string
  ref_type: 'branch' | 'tag'
}

/** A branch or tag was deleted. */
export interface DeleteBody extends InRepository {
  /** Without `refs/heads/` or `refs/tags/`. */
  ref: string
  ref_type: 'branch' | 'tag'
  pusher_type: 'user' | 'deploy_key'
}

/** A branch or tag was pushed; of branches also the first time, of tags also their deletion. */
export interface PushBody extends InRepository {
  /** The full name. */
  ref: string
  before: string
  after: string
  /** Empty where there is nothing to compare with. */
  compare_url: string
  /** The newest of those that came with it, newest first. */
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
  /** Nobody checks signatures of commits here. */
  verification: null
  timestamp: string
  /** Paths from the root of the repository. */
  added: string[]
  removed: string[]
  modified: string[]
}

interface CommitPerson {
  name: string
  email: string
  /** Of the account with this address, as far as it shows it; else empty. */
  username: string
}

export interface RepositoryBody extends InRepository {
  /** `transferred` is sent to the webhooks of the new owner. */
  action: 'created' | 'transferred' | 'deleted'
  /** The owner, whoever that is. */
  organization: User
}

export interface ReleaseBody extends InRepository {
  action: 'published' | 'updated' | 'deleted'
  release: Release
}

interface InWorkflow extends InRepository {
  organization?: Organization
}

export interface WorkflowRunBody extends InWorkflow {
  action: 'requested' | 'in_progress' | 'completed'
  workflow: WorkflowEntry
  /** As of the attempt that it is about. */
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
  /** Who came or left. */
  member?: User
  /** Of `edited` the fields, of `renamed` the name before. */
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
  /** Whose key it is. */
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
  /** Where the webhook belongs, as far as that is one of these. */
  organization?: Organization
  repository?: Repository
  sender: User
}
