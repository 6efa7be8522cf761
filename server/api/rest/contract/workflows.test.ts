import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { makeGitRepository, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { commitFiles, pushAndStart, workflowOn } from '@/testing/workflows'

const site = useSite()
const work = useWorkDirectory()

const deploy = `name: Deploy
run-name: Deploy to \${{ inputs.where }}
on:
  workflow_dispatch:
    inputs:
      where: { type: choice, options: [test, live], required: true }
      count: { type: number, default: 3 }
      dry: { type: boolean }
      note: { default: "none\\0" }
jobs:
  build: { runs-on: x, steps: [{ run: make }] }
  real: { runs-on: x, if: '!inputs.dry', steps: [{ run: make }] }
  many: { needs: real, runs-on: x, if: always() && inputs.count > 2, steps: [{ run: make }] }
`

async function makeTarget() {
  const ada = await makePerson(site)
  const repository = await makeGitRepository(site, ada.account)
  const local = work.path()
  await startLocal(local)
  const commit = await commitFiles(local, {
    '.gitea/workflows/ci.yml': workflowOn('push'),
    '.gitea/workflows/deploy.yml': deploy,
    '.gitea/workflows/broken.yml': 'name: Broken\non: [workflow_dispatch]\njobs: 7\n',
  })
  await gitOk(['tag', 'v1'], { cwd: local })
  await pushAndStart(site, local, repository, ada, ['main', 'v1'])
  const at = `/repos${repository.path}/actions`
  const does = (method: string, path: string, body?: object) =>
    call(site, method, `${at}${path}`, { as: ada, ...(body && { body }) })
  return { ada, repository, local, commit, does }
}

describe('the workflows of a repository', () => {
  it('are listed with their state, as they are on the default branch', async () => {
    const { does, repository } = await makeTarget()
    const { body } = await does('GET', '/workflows')
    expect(body.total_count).toBe(3)
    expect(body.workflows.map(({ id, name, state }: Record<string, string>) => [id, name, state])).toEqual([
      ['broken.yml', 'Broken', 'active'],
      ['ci.yml', 'CI', 'active'],
      ['deploy.yml', 'Deploy', 'active'],
    ])
    expect(await does('GET', '/workflows/ci.yml')).toMatchObject({
      status: 200,
      body: {
        path: '.gitea/workflows/ci.yml',
        url: `${site.url}/api/v1/repos${repository.path}/actions/workflows/ci.yml`,
      },
    })
    expect(await does('GET', '/workflows/none.yml')).toMatchObject({ status: 404 })
  })

  it('can be reached at their URLs, regardless of the characters in their names', async () => {
    const { ada, repository, local, does } = await makeTarget()
    const names = ['50%.yml', 'a+b.yml', 'größe.yml', 'my flow.yml']
    await commitFiles(
      local,
      Object.fromEntries(names.map(name => [`.gitea/workflows/${name}`, workflowOn('workflow_dispatch')])),
    )
    await pushAndStart(site, local, repository, ada)
    const { body } = await does('GET', '/workflows')
    const found = body.workflows.filter(({ id }: { id: string }) => names.includes(id))
    expect(found).toHaveLength(4)
    for (const { id, url } of found) {
      const path = `/workflows/${url.split('/').at(-1)}`
      expect((await does('GET', path)).body).toMatchObject({ id })
      expect((await does('POST', `${path}/dispatches`, { ref: 'main' })).status).toBe(204)
    }
  })

  it('have lists of their runs, also after their files were deleted', async () => {
    const { ada, repository, local, does } = await makeTarget()
    const runs = async (file: string, query = '') => {
      const { status, body } = await does('GET', `/workflows/${file}/runs${query}`)
      return [status, body.total_count, body.workflow_runs?.map(({ path }: { path: string }) => path)]
    }
    const ci = ['.gitea/workflows/ci.yml@refs/heads/main']
    expect(await runs('ci.yml', '?branch=main')).toEqual([200, 1, ci])
    expect((await runs('ci.yml'))[1]).toBe(2)
    expect(await runs('deploy.yml')).toEqual([200, 0, []])
    expect(await runs('ci.yml', '?branch=other')).toEqual([200, 0, []])
    expect(await runs('ci.yml', '?limit=1&page=2')).toEqual([200, 2, ci])
    expect((await runs('ci.yml', '?status=great'))[0]).toBe(422)
    expect((await runs('none.yml'))[0]).toBe(404)
    await gitOk(['rm', '-q', '.gitea/workflows/ci.yml'], { cwd: local })
    await commitFiles(local, {})
    await pushAndStart(site, local, repository, ada)
    expect((await runs('ci.yml'))[1]).toBe(2)
  })

  it('can be disabled, which prevents runs, and enabled again', async () => {
    const { ada, repository, local, does } = await makeTarget()
    const count = async () => (await does('GET', '/runs')).body.total_count
    const before = await count()
    expect(await does('PUT', '/workflows/ci.yml/disable')).toMatchObject({ status: 204 })
    expect(await does('PUT', '/workflows/ci.yml/disable')).toMatchObject({ status: 204 })
    expect((await does('GET', '/workflows/ci.yml')).body.state).toBe('disabled_manually')
    await commitFiles(local, { a: '1' })
    await pushAndStart(site, local, repository, ada)
    expect(await count()).toBe(before)
    expect(await does('PUT', '/workflows/ci.yml/enable')).toMatchObject({ status: 204 })
    await commitFiles(local, { a: '2' })
    await pushAndStart(site, local, repository, ada)
    expect(await count()).toBe(before + 1)
    expect(await does('PUT', '/workflows/none.yml/disable')).toMatchObject({ status: 404 })
    await does('PUT', '/workflows/ci.yml/disable')
    await gitOk(['rm', '-q', '.gitea/workflows/ci.yml'], { cwd: local })
    await commitFiles(local, {})
    await pushAndStart(site, local, repository, ada)
    expect(await does('PUT', '/workflows/ci.yml/enable')).toMatchObject({ status: 204 })
    expect(await does('PUT', '/workflows/ci.yml/enable')).toMatchObject({ status: 404 })
  })
})

describe('a workflow with workflow_dispatch', () => {
  it('can be started with typed inputs on a branch or tag', async () => {
    const { does, commit, ada } = await makeTarget()
    const start = (body: object, query = '') => does('POST', `/workflows/deploy.yml/dispatches${query}`, body)
    expect(await start({ ref: 'main', inputs: { where: 'test' } })).toMatchObject({ status: 204 })
    const started = await start(
      { ref: 'refs/tags/v1', inputs: { where: 'live', dry: true, count: '2' } },
      '?return_run_details=true',
    )
    expect(started).toMatchObject({
      status: 200,
      body: { html_url: expect.stringContaining('/actions/runs/') },
    })
    const id = started.body.workflow_run_id
    expect((await does('GET', `/runs/${id}`)).body).toMatchObject({
      display_title: 'Deploy to live',
      event: 'workflow_dispatch',
      head_branch: 'v1',
      head_sha: commit,
      actor: { login: ada.name },
    })
    const states = async (run: number) =>
      (await does('GET', `/runs/${run}/jobs`)).body.jobs
        .map((job: Record<string, string>) => job.conclusion ?? job.status)
        .join(' ')
    expect(await states(id - 1)).toBe('queued queued waiting')
    expect(await states(id)).toBe('queued skipped skipped')
    const row = await site.db
      .selectFrom('workflow_runs')
      .select('payload')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.payload).toMatchObject({
      inputs: { where: 'live', dry: 'true', count: '2', note: 'none' },
      ref: 'refs/tags/v1',
      sender: { login: ada.name },
    })
  })

  it('rejects invalid requests and says what is wrong', async () => {
    const { does } = await makeTarget()
    const start = async (workflow: string, body: object) => {
      const { status, body: answer } = await does('POST', `/workflows/${workflow}/dispatches`, body)
      return `${status} ${answer?.message}`
    }
    const ref = 'main'
    expect(await start('deploy.yml', { ref })).toBe('422 The input "where" is required.')
    const { body } = await does('POST', '/workflows/deploy.yml/dispatches', { ref })
    expect(body.errors).toEqual(['inputs.where: Enter a value.'])
    expect(await start('deploy.yml', { ref, inputs: { where: 'moon' } })).toBe(
      '422 The input "where" must be one of: test, live.',
    )
    expect(await start('deploy.yml', { ref, inputs: { where: 'live', dry: 'maybe' } })).toContain(
      'true or false',
    )
    expect(await start('deploy.yml', { ref, inputs: { where: 'live', count: 'x' } })).toContain(
      'must be a number',
    )
    expect(await start('deploy.yml', { ref, inputs: { other: '1' } })).toContain('no input "other"')
    for (const count of [' ', '0x10']) {
      const inputs = { where: 'live', count }
      expect(await start('deploy.yml', { ref, inputs })).toContain('must be a number')
    }
    const long = { where: 'live', note: 'x'.repeat(40_000), other: 'x'.repeat(40_000) }
    expect(await start('deploy.yml', { ref, inputs: long })).toContain('65535 characters in total')
    expect(await start('deploy.yml', { inputs: {} })).toMatch(/^422 /)
    for (const note of ['x\0y', '\ud83d']) {
      const inputs = { where: 'live', note }
      expect(await start('deploy.yml', { ref, inputs })).toContain('Remove the invalid characters.')
    }
    expect(await start('deploy.yml', { ref: 'none' })).toMatch(/^404 /)
    expect(await start('deploy.yml', { ref: 'refs/heads/*' })).toMatch(/^404 /)
    expect(await start('none.yml', { ref })).toMatch(/^404 /)
    expect(await start('ci.yml', { ref })).toContain('does not have a "workflow_dispatch"')
    expect(await start('broken.yml', { ref })).toMatch(/^422 line 3/)
    await does('PUT', '/workflows/deploy.yml/disable')
    expect(await start('deploy.yml', { ref, inputs: { where: 'live' } })).toBe(
      '403 The workflow is disabled.',
    )
  })
})
