import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { derivedKey } from '@/server/kernel/signature'
import { jobContext } from '@/server/services'
import { createTestRun, endTestJob, jobCtx } from '@/testing/actions'
import { useSite } from '@/testing/site'
import { authenticateJob } from './job-token'

const site = useSite()
const key = () => derivedKey(site.services.config, 'job token')
const attempt = (authorization: string | null) =>
  authenticateJob(jobContext(site.services, 'test'), authorization)

describe('a job token', () => {
  it('authenticates the job, with its run, attempt, repository, permissions and actor', async () => {
    const { ada, repository, run, jobs } = await createTestRun(site)
    const [{ job, task, token }] = jobs
    expect((await attempt(`bearer ${token}`)).caller).toEqual({
      kind: 'job',
      repositoryId: repository.id,
      runId: run.id,
      attempt: 1,
      jobId: job.id,
      taskId: task.id,
      run: { number: 1, workflow: 'Test' },
      permissions: { contents: 'read', actions: 'read', statuses: 'none', packages: 'read' },
      actor: expect.objectContaining({ id: ada.account.id }),
    })
  })

  it('contains the run and job IDs for artifact clients, and the task, run and job IDs for runners', async () => {
    const { run, jobs } = await createTestRun(site)
    const [{ job, task, token }] = jobs
    expect(decodeJwt(token)).toMatchObject({
      scp: `Actions.Results:${run.id}:${job.id}`,
      RunID: run.id,
      JobID: job.id,
      TaskID: task.id,
      ac: '[]',
      exp: task.expires_at.getTime() / 1000,
    })
  })

  it('is valid while its task is being cancelled, until the task has finished', async () => {
    const made = await createTestRun(site)
    const { jobs } = made
    await site.db
      .updateTable('workflow_tasks')
      .set({ status: 'cancelling' })
      .where('id', '=', jobs[0].task.id)
      .execute()
    expect((await jobCtx(site, jobs[0])).caller.jobId).toBe(jobs[0].job.id)
    await endTestJob(site, made, jobs[0])
    await expect(jobCtx(site, jobs[0])).rejects.toMatchObject({
      kind: 'unauthenticated',
      message: 'the job for this token has ended',
    })
  })

  it('expires four hours after the task started, within a tolerance of half a minute', async () => {
    const { jobs } = await createTestRun(site)
    const expiry = jobs[0].task.expires_at.getTime()
    expect(expiry - jobs[0].task.started_at.getTime()).toBeGreaterThan(4 * 3_600_000 - 1000)
    site.now.set(new Date(expiry + 29_000))
    expect((await jobCtx(site, jobs[0])).caller.jobId).toBe(jobs[0].job.id)
    site.now.set(new Date(expiry + 31_000))
    await expect(jobCtx(site, jobs[0])).rejects.toMatchObject({ message: 'the job token has expired' })
    site.now.set(undefined)
  })

  it('is refused after its job was deleted', async () => {
    const { run, jobs } = await createTestRun(site)
    await site.db.deleteFrom('workflow_runs').where('id', '=', run.id).execute()
    await expect(jobCtx(site, jobs[0])).rejects.toMatchObject({
      message: 'the job for this token no longer exists',
    })
  })

  it('is refused with another algorithm, key, audience or issuer, without an expiry, or truncated', async () => {
    const { jobs } = await createTestRun(site)
    const claims = decodeJwt(jobs[0].token)
    const { exp, ...endless } = claims
    const none = [{ alg: 'none', typ: 'JWT' }, claims]
      .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const forged = [
      new SignJWT(claims).setProtectedHeader({ alg: 'HS512' }).sign(key()),
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
      new SignJWT({ ...claims, aud: 'other' }).setProtectedHeader({ alg: 'HS256' }).sign(key()),
      new SignJWT({ ...claims, iss: 'other' }).setProtectedHeader({ alg: 'HS256' }).sign(key()),
      new SignJWT(endless).setProtectedHeader({ alg: 'HS256' }).sign(key()),
      `${none}.`,
      jobs[0].token.slice(0, -2),
      'x'.repeat(8000),
    ]
    for (const token of await Promise.all(forged)) {
      await expect(attempt(`Bearer ${token}`)).rejects.toMatchObject({
        kind: 'unauthenticated',
        message: 'this is not a job token',
      })
    }
  })

  it('is required in a bearer Authorization header', async () => {
    const { ada } = await createTestRun(site)
    await expect(attempt(null)).rejects.toMatchObject({ message: 'a job token is required' })
    for (const other of [`Bearer ${ada.token}`, 'Basic YTpi', 'Bearer']) {
      await expect(attempt(other)).rejects.toMatchObject({ message: 'this is not a job token' })
    }
  })
})
