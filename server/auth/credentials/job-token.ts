import { z } from 'zod'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import type { Caller, JobCaller } from '@/server/kernel/caller'
import type { Config } from '@/server/kernel/config'
import type { AuthCtx, JobCtx, ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, unauthenticated } from '@/server/kernel/errors'
import { derivedKey } from '@/server/kernel/signature'
import { findJobGrant } from './job-grant'

/** The fields of a task that its token states. */
interface TokenTask {
  id: number
  run_id: number
  job_id: number
  started_at: Date
  expires_at: Date
}

/** How long a task and its job token are valid, in seconds: three hours for the job and one to upload its results. */
export const taskSeconds = 4 * 60 * 60

// Tolerated difference to the clock of another machine, in seconds.
const leeway = 30
const service = 'guildhall'
const algorithm = 'HS256'

// Loaded by the first job.
const loadJose = () => import('jose')

/**
 * Signs the token of a task's job, a JWT. Artifact clients read the run and job IDs from `scp`, and runners the IDs next to
 * it, without verifying the signature.
 */
export async function issueJobToken(config: Pick<Config, 'secretKey'>, task: TokenTask): Promise<string> {
  const { id, run_id, job_id, started_at, expires_at } = task
  const { SignJWT } = await loadJose()
  const issuedAt = Math.floor(started_at.getTime() / 1000)
  return await new SignJWT({
    scp: `Actions.Results:${run_id}:${job_id}`,
    TaskID: id,
    RunID: run_id,
    JobID: job_id,
    ac: '[]',
  })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(service)
    .setAudience(service)
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt)
    .setExpirationTime(Math.floor(expires_at.getTime() / 1000))
    .sign(keyOf(config))
}

/** Whether a secret has the form of a job token. Does not verify it. */
export const isJobToken = (secret: string): boolean => /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(secret)

/**
 * Authenticates a job by the token in an Authorization header, for endpoints that only jobs can call.
 * @throws {DomainError} unauthenticated, also without a token, as `findJobCaller`.
 */
export async function authenticateJob(
  ctx: ServiceCtx,
  authorization: string | null | undefined,
): Promise<JobCtx> {
  if (!authorization) throw unauthenticated('a job token is required')
  const token = /^(?:bearer|token) +([^\s]+) *$/i.exec(authorization)?.[1]
  if (!token) throw notJobToken()
  return { ...ctx, caller: await findJobCaller(ctx, token) }
}

/**
 * Finds the job that a token was issued for. Its task must be running, or cancelled but not finished.
 * @throws {DomainError} unauthenticated, with a message that says whether this is no job token, the token has expired, the
 * job has finished, or the repository was transferred.
 */
export async function findJobCaller(
  ctx: Pick<ServiceCtx, 'db' | 'config' | 'clock'>,
  token: string,
): Promise<JobCaller> {
  const { TaskID, RunID, JobID } = await readToken(ctx, token)
  const caller = await findJobOfTask(ctx.db, TaskID)
  if (caller.runId !== RunID || caller.jobId !== JobID) throw deleted()
  return caller
}

/**
 * Finds the job again by the ID of its task.
 * @throws {DomainError} unauthenticated if the task has finished or was deleted, or its repository was transferred.
 */
export async function recheckJobToken(
  { db }: Pick<AuthCtx, 'db'>,
  caller: Caller,
): Promise<JobCaller | undefined> {
  return caller.kind === 'job' ? await findJobOfTask(db, caller.taskId) : undefined
}

async function findJobOfTask(db: Db, taskId: number): Promise<JobCaller> {
  const task = await db
    .selectFrom('workflow_tasks')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'workflow_tasks.run_id')
    .innerJoin('repositories', 'repositories.id', 'workflow_tasks.repository_id')
    .modifyFront(prepared)
    .select([
      'workflow_tasks.status',
      'workflow_tasks.run_id as runId',
      'workflow_tasks.job_id as jobId',
      'workflow_tasks.repository_id as repositoryId',
      'workflow_jobs.attempt',
      'workflow_jobs.permissions as requested',
      'workflow_runs.owner_id as begunUnder',
      'workflow_runs.number',
      'workflow_runs.workflow_name as workflow',
      'workflow_runs.event',
      'workflow_runs.actor_id as actorId',
      'repositories.owner_id as ownerId',
    ])
    .where('workflow_tasks.id', '=', taskId)
    .executeTakeFirst()
  if (!task) throw deleted()
  const { status, begunUnder, ownerId, number, workflow, requested, event, actorId, ...job } = task
  if (status === 'ended') throw unauthenticated('the job for this token has ended')
  if (begunUnder !== ownerId) throw unauthenticated("this job's repository was transferred to another owner")
  const target = { repositoryId: job.repositoryId, ownerId }
  const grant = await findJobGrant(db, target, { requested, event, actorId })
  return { kind: 'job', ...job, taskId, run: { number, workflow }, ...grant }
}

const deleted = () => unauthenticated('the job for this token no longer exists')

const Claims = z.object({ TaskID: z.int(), RunID: z.int(), JobID: z.int() })

async function readToken(
  { config, clock }: Pick<ServiceCtx, 'config' | 'clock'>,
  token: string,
): Promise<z.output<typeof Claims>> {
  const { errors, jwtVerify } = await loadJose()
  try {
    const { payload } = await jwtVerify(token, keyOf(config), {
      algorithms: [algorithm],
      issuer: service,
      audience: service,
      clockTolerance: leeway,
      currentDate: clock.now(),
      requiredClaims: ['exp', 'nbf'],
    })
    return Claims.parse(payload)
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthenticated('the job token has expired')
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw notJobToken()
    throw error
  }
}

const notJobToken = (): DomainError => unauthenticated('this is not a job token')

const keyOf = (config: Pick<Config, 'secretKey'>): Uint8Array => derivedKey(config, 'job token')
