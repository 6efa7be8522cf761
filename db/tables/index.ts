import type { AccessTokensTable } from './access-tokens'
import type { AccountRedirectsTable } from './account-redirects'
import type { ArtifactBlocksTable, ArtifactsTable, ArtifactUploadsTable } from './artifacts'
import type { AttachmentsTable, AttachmentUploadsTable } from './attachments'
import type { BackupsTable } from './backups'
import type { CommitStatusesTable, CommitStatusTotalsTable } from './commit-statuses'
import type { DeployKeysTable } from './deploy-keys'
import type { EventOutboxTable, EventsTable } from './events'
import type {
  HookAttemptsTable,
  HookDeliveriesTable,
  HookPayloadsTable,
  HooksTable,
  HookTracesTable,
} from './hooks'
import type { JobRunsTable } from './job-runs'
import type { LabelsTable } from './labels'
import type { LoginSourcesTable } from './login-sources'
import type { NotificationsTable } from './notifications'
import type { OrganizationMembersTable } from './organization-members'
import type { PublicKeysTable } from './public-keys'
import type { RecordedPushesTable } from './recorded-pushes'
import type { ReleasesTable } from './releases'
import type { RenamedBranchesTable } from './renamed-branches'
import type { RepositoriesTable } from './repositories'
import type { RepositoryCollaboratorsTable } from './repository-collaborators'
import type { RepositoryRedirectsTable } from './repository-redirects'
import type { RepositoryTransfersTable, RepositoryTransferTeamsTable } from './repository-transfers'
import type { RunnerRegistrationsTable, RunnersTable } from './runners'
import type { SessionsTable } from './sessions'
import type { SiteMarksTable } from './site-marks'
import type { SshHostKeysTable } from './ssh-host-keys'
import type { TeamMembersTable } from './team-members'
import type { TeamRepositoriesTable } from './team-repositories'
import type { TeamUnitsTable } from './team-units'
import type { TeamsTable } from './teams'
import type { TopicsTable } from './topics'
import type { UnusedObjectsTable } from './unused-objects'
import type { UserBlocksTable } from './user-blocks'
import type { UsersTable } from './users'
import type {
  CalledWorkflowsTable,
  ConcurrencyMembersTable,
  WorkflowJobOutputsTable,
  WorkflowJobsTable,
  WorkflowLogChunksTable,
  WorkflowTasksTable,
} from './workflow-jobs'
import type { WorkflowPermissionsTable } from './workflow-permissions'
import type { WorkflowRunAttemptsTable, WorkflowRunsTable } from './workflow-runs'
import type { DisabledWorkflowsTable, WorkflowSchedulesTable } from './workflow-triggers'
import type { WorkflowVariablesTable } from './workflow-variables'

/** Maps the name of each table to the type of its rows. */
export interface Database {
  access_tokens: AccessTokensTable
  account_redirects: AccountRedirectsTable
  artifact_blocks: ArtifactBlocksTable
  artifact_uploads: ArtifactUploadsTable
  artifacts: ArtifactsTable
  attachment_uploads: AttachmentUploadsTable
  attachments: AttachmentsTable
  backups: BackupsTable
  called_workflows: CalledWorkflowsTable
  commit_status_totals: CommitStatusTotalsTable
  commit_statuses: CommitStatusesTable
  concurrency_members: ConcurrencyMembersTable
  deploy_keys: DeployKeysTable
  disabled_workflows: DisabledWorkflowsTable
  event_outbox: EventOutboxTable
  events: EventsTable
  hook_attempts: HookAttemptsTable
  hook_deliveries: HookDeliveriesTable
  hook_payloads: HookPayloadsTable
  hook_traces: HookTracesTable
  hooks: HooksTable
  job_runs: JobRunsTable
  labels: LabelsTable
  login_sources: LoginSourcesTable
  notifications: NotificationsTable
  organization_members: OrganizationMembersTable
  public_keys: PublicKeysTable
  recorded_pushes: RecordedPushesTable
  releases: ReleasesTable
  renamed_branches: RenamedBranchesTable
  repositories: RepositoriesTable
  repository_collaborators: RepositoryCollaboratorsTable
  repository_redirects: RepositoryRedirectsTable
  repository_transfer_teams: RepositoryTransferTeamsTable
  repository_transfers: RepositoryTransfersTable
  runner_registrations: RunnerRegistrationsTable
  runners: RunnersTable
  sessions: SessionsTable
  site_marks: SiteMarksTable
  ssh_host_keys: SshHostKeysTable
  team_members: TeamMembersTable
  team_repositories: TeamRepositoriesTable
  team_units: TeamUnitsTable
  teams: TeamsTable
  topics: TopicsTable
  unused_objects: UnusedObjectsTable
  user_blocks: UserBlocksTable
  users: UsersTable
  workflow_job_outputs: WorkflowJobOutputsTable
  workflow_jobs: WorkflowJobsTable
  workflow_log_chunks: WorkflowLogChunksTable
  workflow_permissions: WorkflowPermissionsTable
  workflow_run_attempts: WorkflowRunAttemptsTable
  workflow_runs: WorkflowRunsTable
  workflow_schedules: WorkflowSchedulesTable
  workflow_tasks: WorkflowTasksTable
  workflow_variables: WorkflowVariablesTable
}
