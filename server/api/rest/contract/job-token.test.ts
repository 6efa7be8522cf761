import { describe, expect, it } from 'vitest'
import { createTestRun, endTestJob } from '@/testing/actions'
import { git } from '@/testing/git'
import { makeGitRepository } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

describe('the token of a job', () => {
  const site = useSite()

  async function startJob() {
    const ada = await makePerson(site)
    const repository = await makeGitRepository(site, ada.account, { is_private: true })
    const made = await createTestRun(site, { alongside: { ada, repository }, isPrivate: true })
    const [{ token }] = made.jobs
    const ask = async (path: string, { method = 'GET', authorization = `Bearer ${token}` } = {}) => {
      const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }
      const answer = await fetch(`${site.url}/api/v1${path}`, {
        method,
        ...body,
        headers: { ...body.headers, authorization },
      })
      return answer.status
    }
    return { ada, repository, made, token, ask }
  }

  it('reads its own private repository (200), as a bearer token and as a password', async () => {
    const { made, token, ask } = await startJob()
    expect(await ask(made.path)).toBe(200)
    expect(await ask(`${made.path}/actions/runs/${made.run.id}`)).toBe(200)
    expect(await ask(`${made.path}/releases`)).toBe(200)
    const password = Buffer.from(`x-access-token:${token}`).toString('base64')
    expect(await ask(made.path, { authorization: `Basic ${password}` })).toBe(200)
  })

  it('cannot see other private repositories (404), even those of the same owner', async () => {
    const { ada, ask } = await startJob()
    const other = await makeGitRepository(site, ada.account, { is_private: true })
    expect(await ask(`/repos/${ada.name}/${other.name}`)).toBe(404)
    const open = await makeGitRepository(site, ada.account, {})
    expect(await ask(`/repos/${ada.name}/${open.name}`)).toBe(200)
  })

  it('changes nothing and is not a user (403)', async () => {
    const { made, ask } = await startJob()
    expect(await ask(`${made.path}/releases`, { method: 'POST' })).toBe(403)
    expect(await ask(made.path, { method: 'DELETE' })).toBe(403)
    expect(await ask('/user')).toBe(403)
  })

  it('expires with the job (401)', async () => {
    const { made, ask } = await startJob()
    await endTestJob(site, made, made.jobs[0])
    expect(await ask(made.path)).toBe(401)
  })

  it.skipIf(mount === 'next')('can fetch its repository over Git but not push', async () => {
    const { repository, made, token } = await startJob()
    const address = `${site.url.replace('://', `://job:${token}@`)}${repository.path}.git`
    expect(await git(['ls-remote', address])).toMatchObject({ code: 0 })
    const pushed = await fetch(`${site.url}${repository.path}.git/info/refs?service=git-receive-pack`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(pushed.status).toBe(403)
    await endTestJob(site, made, made.jobs[0])
    expect((await git(['ls-remote', address])).code).not.toBe(0)
  })
})
