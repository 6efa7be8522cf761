import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../handle'
import type { ArtifactsTable } from '../tables/artifacts'
import type { AttachmentsTable } from '../tables/attachments'
import type { DeployKeysTable } from '../tables/deploy-keys'
import type { PublicKeysTable } from '../tables/public-keys'
import type { ReleasesTable } from '../tables/releases'
import type { RepositoriesTable } from '../tables/repositories'
import type { Unit } from '../tables/team-units'
import type { AccessMode, TeamsTable } from '../tables/teams'
import type { UsersTable } from '../tables/users'
import type { WorkflowJobsTable } from '../tables/workflow-jobs'

let count = 0

// The counter makes failures readable; the random part keeps names unique across workers that share a
// database.
const nextName = (kind: string): string => `${kind}-${++count}-${randomBytes(4).toString('hex')}`

/** Adds a person with a unique name. The account has no password, so no one can sign in to it. */
export function makeUser(
  db: Db,
  overrides: Partial<Insertable<UsersTable>> = {},
): Promise<Selectable<UsersTable>> {
  const name = overrides.name ?? nextName('user')
  return db
    .insertInto('users')
    .values({ name, email: `${name}@example.test`, ...overrides })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds an organization whose owners team contains the user `ownerId`. */
export async function makeOrg(
  db: Db,
  ownerId: number,
  overrides: Partial<Insertable<UsersTable>> = {},
): Promise<Selectable<UsersTable> & { ownersTeamId: number }> {
  const name = overrides.name ?? nextName('org')
  const org = await makeUser(db, { name, email: '', kind: 'organization', ...overrides })
  const owners = await makeTeam(db, org.id, {
    name: 'Owners',
    mode: 'owner',
    is_owners: true,
    includes_all_repositories: true,
    can_create_org_repo: true,
  })
  await addToTeam(db, owners, ownerId)
  return { ...org, ownersTeamId: owners.id }
}

/** Adds a team with these unit permissions; by default, `read` on code. */
export async function makeTeam(
  db: Db,
  orgId: number,
  overrides: Partial<Insertable<TeamsTable>> = {},
  units: Partial<Record<Unit, AccessMode>> = { 'repo.code': 'read' },
): Promise<Selectable<TeamsTable>> {
  const team = await db
    .insertInto('teams')
    .values({ org_id: orgId, name: nextName('team'), mode: 'read', ...overrides })
    .returningAll()
    .executeTakeFirstOrThrow()
  const rows = Object.entries(units).map(([unit, mode]) => ({
    team_id: team.id,
    org_id: orgId,
    unit: unit as Unit,
    mode,
  }))
  if (rows.length > 0) await db.insertInto('team_units').values(rows).execute()
  return team
}

/** Adds a user to a team, and to its organization if they are not a member yet. */
export async function addToTeam(db: Db, team: { id: number; org_id: number }, userId: number): Promise<void> {
  await addToOrg(db, team.org_id, userId)
  await db
    .insertInto('team_members')
    .values({ team_id: team.id, org_id: team.org_id, user_id: userId })
    .execute()
}

export async function addToOrg(db: Db, orgId: number, userId: number, isPublic = false): Promise<void> {
  await db
    .insertInto('organization_members')
    .values({ org_id: orgId, user_id: userId, is_public: isPublic })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * Adds the row of a repository and attaches it to the teams that include all repositories. Creates nothing on
 * disk.
 */
export async function makeRepository(
  db: Db,
  ownerId: number,
  overrides: Partial<Insertable<RepositoriesTable>> = {},
): Promise<Selectable<RepositoriesTable>> {
  const repository = await db
    .insertInto('repositories')
    .values({
      owner_id: ownerId,
      name: nextName('repo'),
      default_branch: 'main',
      storage_key: randomBytes(16).toString('hex'),
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const teams = await db
    .selectFrom('teams')
    .select(['id', 'org_id'])
    .where('org_id', '=', ownerId)
    .where('includes_all_repositories', '=', true)
    .execute()
  for (const team of teams) await attach(db, team, repository.id)
  return repository
}

/** Adds a published release without creating its tag in Git. */
export function makeRelease(
  db: Db,
  repositoryId: number,
  overrides: Partial<Insertable<ReleasesTable>> = {},
): Promise<Selectable<ReleasesTable>> {
  return db
    .insertInto('releases')
    .values({ repository_id: repositoryId, tag_name: nextName('v'), ...overrides })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds an attachment to a release, without a stored object. */
export function makeAttachment(
  db: Db,
  release: { id: number; repository_id: number },
  overrides: Partial<Insertable<AttachmentsTable>> = {},
): Promise<Selectable<AttachmentsTable>> {
  return db
    .insertInto('attachments')
    .values({
      uuid: randomUUID(),
      release_id: release.id,
      repository_id: release.repository_id,
      name: nextName('file'),
      size: 0,
      sha256: Buffer.alloc(32),
      content_type: 'text/plain',
      storage_key: randomBytes(16).toString('hex'),
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** IDs that the rows of a job share, and the ID of its task. */
export interface JobIds {
  repository_id: number
  run_id: number
  attempt: number
  job_id: number
  task_id: number
}

/** Adds a workflow run with one job and a running task for it. */
export async function makeRunningJob(db: Db, repositoryId: number): Promise<JobIds> {
  const repository = await db
    .selectFrom('repositories')
    .select('owner_id')
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  const run = await db
    .insertInto('workflow_runs')
    .values({
      repository_id: repositoryId,
      owner_id: repository.owner_id,
      number: ++count,
      title: nextName('run'),
      workflow_path: '.github/workflows/ci.yml',
      workflow_name: 'CI',
      document: 'on: push\njobs: { build: { runs-on: ubuntu-latest, steps: [{ run: make }] } }',
      event: 'push',
      ref: 'refs/heads/main',
      sha: '0'.repeat(40),
      actor_id: null,
      status: 'in_progress',
      conclusion: null,
      started_at: null,
      completed_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('workflow_run_attempts')
    .values({
      run_id: run.id,
      number: 1,
      actor_id: null,
      status: 'in_progress',
      conclusion: null,
      started_at: null,
      completed_at: null,
    })
    .execute()
  return addRunningJob(db, { repository_id: repositoryId, run_id: run.id })
}

/** Adds a job to a run, with a running task for it. */
export async function addRunningJob(
  db: Db,
  run: Pick<JobIds, 'repository_id' | 'run_id'>,
  overrides: Partial<Insertable<WorkflowJobsTable>> = {},
): Promise<JobIds> {
  const { repository_id, run_id } = run
  const name = nextName('job')
  const job = await db
    .insertInto('workflow_jobs')
    .values({
      repository_id,
      run_id,
      attempt: 1,
      job_key: name,
      position: ++count,
      name,
      matrix: null,
      needs: '[]',
      labels: '[]',
      status: 'in_progress',
      conclusion: null,
      started_at: null,
      completed_at: null,
      ...overrides,
    })
    .returning(['id', 'attempt'])
    .executeTakeFirstOrThrow()
  const task = await db
    .insertInto('workflow_tasks')
    .values({
      repository_id,
      run_id,
      job_id: job.id,
      status: 'running',
      ended_at: null,
      expires_at: new Date(Date.now() + 4 * 60 * 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { repository_id, run_id, attempt: job.attempt, job_id: job.id, task_id: task.id }
}

/** Adds a finished artifact of a job, without a stored object. */
export function makeArtifact(
  db: Db,
  job: { id: number; run_id: number; repository_id: number; attempt: number },
  overrides: Partial<Insertable<ArtifactsTable>> = {},
): Promise<Selectable<ArtifactsTable>> {
  const { id: job_id, run_id, repository_id, attempt } = job
  return db
    .insertInto('artifacts')
    .values({
      repository_id,
      run_id,
      attempt,
      job_id,
      name: nextName('artifact'),
      status: 'finished',
      content_type: 'application/zip',
      sha256: Buffer.alloc(32),
      storage_key: randomBytes(16).toString('hex'),
      expires_at: new Date(Date.now() + 24 * 60 * 60_000),
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Attaches a repository to a team of its organization. */
export async function attach(
  db: Db,
  team: { id: number; org_id: number },
  repositoryId: number,
): Promise<void> {
  await db
    .insertInto('team_repositories')
    .values({ team_id: team.id, org_id: team.org_id, repository_id: repositoryId })
    .execute()
}

/** Adds a random Ed25519 key. It is well-formed, but no one has its private key. */
export function makeKey(
  db: Db,
  ownerId: number | null,
  overrides: Partial<Insertable<PublicKeysTable>> = {},
): Promise<Selectable<PublicKeysTable>> {
  const blob = ed25519Blob()
  return db
    .insertInto('public_keys')
    .values({
      owner_id: ownerId,
      title: nextName('key'),
      content: `ssh-ed25519 ${blob.toString('base64')}`,
      fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds a deploy key for these repositories and returns its row in `public_keys`. */
export async function makeDeployKey(
  db: Db,
  repositories: readonly { id: number }[],
  overrides: Partial<Omit<Insertable<DeployKeysTable>, 'key_id' | 'repository_id'>> = {},
): Promise<Selectable<PublicKeysTable>> {
  const key = await makeKey(db, null, { type: 'deploy' })
  const { title } = key
  const rows = repositories.map(({ id }) => ({ repository_id: id, key_id: key.id, title, ...overrides }))
  await db.insertInto('deploy_keys').values(rows).execute()
  return key
}

function ed25519Blob(): Buffer {
  const field = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  return Buffer.concat([field(Buffer.from('ssh-ed25519')), field(randomBytes(32))])
}
