import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { gitOk } from '@/testing/git'
import { base64, goFileOptions } from '@/testing/go-client'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let ada: Person
let code: CodeRepository
let tip: string

const steps = 'steps: []\n'

beforeEach(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { '.woodpecker.yml': steps, 'package.json': '{}\n', 'old.lock': '1\n' })
  tip = await code.git('rev-parse', 'main')
})

/** Sends a request below the repository, expects its status, and returns the body. */
async function ask(method: string, path: string, status: number, sent?: object) {
  const options = { as: ada, ...(sent && { body: sent }) }
  const answer = await call(site, method, `${code.path}${path && '/'}${path}`, options)
  expect([method, path, answer.status, answer.status < 400 || answer.body.message]).toEqual([
    method,
    path,
    status,
    status < 400 || expect.any(String),
  ])
  return answer.body
}

describe('Woodpecker and Drone', () => {
  it('read the pipeline of a commit, clone it, and report from pending to success', async () => {
    const repository = await ask('GET', '', 200)
    expect(repository).toMatchObject({ default_branch: 'main', empty: false, permissions: { push: true } })
    expect((await ask('GET', 'branches/main', 200)).commit.id).toBe(tip)
    await ask('GET', `contents/.woodpecker?ref=${tip}`, 404)
    const file = await ask('GET', `contents/.woodpecker.yml?ref=${tip}`, 200)
    expect(file.content).toBe(base64(steps))
    expect(await ask('GET', `raw/.woodpecker.yml?ref=${tip}`, 200)).toBe(steps)
    const target_url = 'https://ci.example.test/repos/1/pipeline/1'
    const report = async (state: string, context: string, description: string) =>
      (await ask('POST', `statuses/${tip}`, 201, { state, target_url, description, context })).status
    const contexts = ['ci/woodpecker/push/woodpecker', 'continuous-integration/drone/push']
    for (const context of contexts) expect(await report('pending', context, 'running')).toBe('pending')
    const combined = async () => {
      const { state, total_count, statuses } = await ask('GET', 'commits/main/status', 200)
      return [state, total_count, statuses.map(({ status }: { status: string }) => status)]
    }
    expect(await combined()).toEqual(['pending', 2, ['pending', 'pending']])

    const remote = repository.clone_url.replace('://', `://${ada.name}:${ada.token}@`)
    expect(await gitOk(['ls-remote', remote, 'refs/heads/main'])).toBe(`${tip}\trefs/heads/main`)
    for (const context of contexts) expect(await report('success', context, '')).toBe('success')
    expect(await combined()).toEqual(['success', 2, ['success', 'success']])
  })
})

describe('Renovate', () => {
  it('updates a dependency on a branch, waits for its checks, and deletes it', async () => {
    const branch = 'renovate/vite-7.x'
    const named = encodeURIComponent(branch)
    await ask('GET', `branches/${named}`, 404)
    const manifest = await ask('GET', 'contents/package.json?ref=main', 200)
    const update = { message: 'Update vite to v7', branch: 'main', new_branch: branch, sha: manifest.sha }
    const { commit } = await ask('PUT', 'contents/package.json', 200, {
      ...update,
      content: base64('{ "vite": 7 }\n'),
    })
    expect(commit).toMatchObject({ message: 'Update vite to v7\n', parents: [{ sha: tip }] })
    const { sha } = await ask('GET', 'contents/old.lock?ref=main', 200)
    const unset = { content: null, sha: null, from_path: null }
    const batch = await ask('POST', 'contents', 201, {
      branch,
      new_branch: null,
      message: 'Update lock files',
      author: { name: 'Renovate Bot', email: 'bot@example.test' },
      committer: null,
      dates: { author: null, committer: null },
      files: [
        { ...unset, operation: 'create', path: 'new.lock', content: base64('2\n') },
        { ...unset, operation: 'delete', path: 'old.lock', sha },
        { operation: 'rename', path: '.ci.yml', content: '', sha: '', from_path: '.woodpecker.yml' },
      ],
    })
    const { author, committer, sha: head } = batch.commit
    expect([author.name, committer.email]).toEqual(['Renovate Bot', 'bot@example.test'])
    // A client that cannot leave out fields sends an empty content with each rename.
    expect(batch.files.map((file: { size: number } | null) => file?.size)).toEqual([2, undefined, 10])

    expect((await ask('GET', `branches/${named}`, 200)).commit.id).toBe(head)
    const compared = await ask('GET', `compare/main...${named}`, 200)
    expect(compared.total_commits).toBe(2)
    const age = { context: 'renovate/stability-days', state: 'pending', description: 'Not yet' }
    await ask('POST', `statuses/${head}`, 201, age)
    expect(await ask('GET', `commits/${named}/statuses`, 200)).toMatchObject([{ status: 'pending' }])
    await ask('POST', `statuses/${head}`, 201, { ...age, state: 'success', target_url: '' })
    expect((await ask('GET', `commits/${named}/status`, 200)).state).toBe('success')
    await ask('DELETE', `branches/${named}`, 204)
    await ask('GET', `branches/${named}`, 404)
    expect((await ask('GET', 'branches/main', 200)).commit.id).toBe(tip)
  })
})

describe('a Terraform provider', () => {
  it('creates, reads, updates, and deletes a file', async () => {
    const at = 'contents/deploy/app.yaml'
    const read = `${at}?ref=main`
    const options = goFileOptions({ message: 'Managed by Terraform', branch: 'main' })
    const person = { name: 'Terraform', email: 'terraform@example.test' }
    await ask('GET', read, 404)
    const made = await ask('POST', at, 201, { ...options, author: person, content: base64('a: 1\n') })
    expect(made.commit).toMatchObject({ author: person, committer: person })
    expect(await ask('GET', read, 200)).toEqual(made.content)
    const update = { ...options, content: base64('a: 2\n'), from_path: '' }
    await ask('PUT', at, 422, { ...update, sha: '0'.repeat(40) })
    const { content } = await ask('PUT', at, 200, { ...update, sha: made.content.sha })
    const again = await ask('GET', read, 200)
    expect([again.content, again.sha]).toEqual([base64('a: 2\n'), content.sha])
    expect((await ask('DELETE', at, 200, { ...options, sha: content.sha })).content).toBeNull()
    await ask('GET', read, 404)
    await ask('DELETE', at, 404, { ...options, sha: content.sha })
  })
})

describe('tea branches', () => {
  it('lists and renames branches', async () => {
    await code.git('branch', 'fix/one')
    const list = async () =>
      (await ask('GET', 'branches?limit=30&page=1', 200)).map(({ name }: { name: string }) => name)
    expect(await list()).toEqual(['fix/one', 'main'])
    await ask('PATCH', 'branches/fix%2Fone', 204, { name: 'fix/two' })
    await ask('PATCH', 'branches/fix%2Ftwo', 422, { name: 'main' })
    await ask('PATCH', 'branches/fix%2Fone', 404, { name: 'fix/three' })
    expect(await list()).toEqual(['fix/two', 'main'])
  })
})
