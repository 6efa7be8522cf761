import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Config } from '@/server/kernel/config'
import type { JobCtx, ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { derivedKey } from '@/server/kernel/signature'
import { findTaskOfToken, type TaskRow } from './job-store'

/** How long a task, and the token of its job, are valid: three hours for the job and one for what comes after it. */
export const taskSeconds = 4 * 60 * 60

/** Of the clock of another machine, in seconds. */
const leeway = 30
const service = 'guildhall'
const algorithm = 'HS256'

/**
 * Signs the token of a task's job. Clients of artifacts read the run and the job from `scp`, and runners the ids beside
 * it, without verifying them.
 */
export async function issueJobToken(config: Pick<Config, 'secretKey'>, task: TaskRow): Promise<string> {
  const { id, run_id, job_id, started_at, expires_at } = task
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

/**
 * Authenticates a job by the token in an Authorization header. Its task must be running, or be cancelled and not have
 * ended yet.
 * @throws {DomainError} unauthenticated, with a message that says whether the token is missing, not one of a job,
 * expired, or of a job that has ended.
 */
export async function authenticateJob(
  ctx: ServiceCtx,
  authorization: string | null | undefined,
): Promise<JobCtx> {
  const { TaskID, RunID, JobID } = await readToken(ctx, authorization)
  const task = await findTaskOfToken(ctx.db, TaskID)
  if (!task || task.run_id !== RunID || task.job_id !== JobID) {
    throw unauthenticated('the job of this token does not exist anymore')
  }
  if (task.status === 'ended') throw unauthenticated('the job of this token has ended')
  const { run_id: runId, job_id: jobId, repository_id: repositoryId, attempt } = task
  return { ...ctx, caller: { kind: 'job', repositoryId, runId, attempt, jobId, taskId: TaskID } }
}

const Claims = z.object({ TaskID: z.int(), RunID: z.int(), JobID: z.int() })

async function readToken(
  { config, clock }: ServiceCtx,
  authorization: string | null | undefined,
): Promise<z.output<typeof Claims>> {
  if (!authorization) throw unauthenticated('the token of a job is required')
  const token = /^(?:bearer|token) +([^\s]+) *$/i.exec(authorization)?.[1]
  if (!token) throw notJobToken()
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
    if (error instanceof errors.JWTExpired) throw unauthenticated('the token of the job has expired')
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw notJobToken()
    throw error
  }
}

const notJobToken = () => unauthenticated('this is not the token of a job')

const keyOf = (config: Pick<Config, 'secretKey'>): Uint8Array => derivedKey(config, 'job token')
