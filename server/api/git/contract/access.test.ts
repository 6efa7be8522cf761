import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeTeam } from '@/db/testing/factories'
import type { Scope } from '@/server/kernel/scopes'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  type GitRepository,
  makeGitRepository,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

type Service = 'git-upload-pack' | 'git-receive-pack'

describe.skipIf(mount === 'next')('Git over HTTP', () => {
  const site = useSite()
  const work = useWorkDirectory()

  const ask = (path: string, service: Service, authorization?: string) =>
    fetch(`${site.url}${path}.git/info/refs?service=${service}`, {
      headers: authorization ? { authorization } : {},
      redirect: 'manual',
    })
  const basic = ({ name, password }: Person) =>
    `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

  async function owned(overrides: Parameters<typeof makeGitRepository>[2] = {}) {
    const owner = await makePerson(site)
    return { owner, repository: await makeGitRepository(site, owner.account, overrides) }
  }

  it('returns the same 401 to anonymous callers for hidden, missing and read-only repositories', async () => {
    const { owner, repository } = await owned({ is_private: true })
    const { repository: open } = await owned()
    const answers = await Promise.all([
      ask(repository.path, 'git-upload-pack'),
      ask(`/${owner.name}/absent`, 'git-upload-pack'),
      ask('/nobody-at-all/absent', 'git-upload-pack'),
      ask(open.path, 'git-receive-pack'),
      ask(repository.path, 'git-receive-pack'),
    ])
    const texts = await Promise.all(answers.map(answer => answer.text()))
    expect(answers.map(answer => answer.status)).toEqual([401, 401, 401, 401, 401])
    expect(new Set(answers.map(answer => answer.headers.get('www-authenticate')))).toEqual(
      new Set(['Basic realm="Guildhall"']),
    )
    expect(new Set(texts).size).toBe(1)
  })

  it('makes Git ask for a username after 401', async () => {
    const { repository } = await owned({ is_private: true })
    const { code, stderr } = await git(['ls-remote', addressOf(site, repository)])
    expect(code).toBe(128)
    expect(stderr).toContain('could not read Username')
  })

  it('returns 404 to a signed-in person for a hidden repository, which Git words itself', async () => {
    const { owner, repository } = await owned({ is_private: true })
    const stranger = await makePerson(site)
    for (const path of [repository.path, `/${owner.name}/absent`]) {
      for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
        const answer = await ask(path, service, basic(stranger))
        expect(answer.status).toBe(404)
        expect(await answer.text()).toBe('Repository not found.\n')
      }
    }
    const { stderr } = await git(['ls-remote', addressOf(site, repository, stranger)])
    expect(stderr).toMatch(/repository '.*' not found/)
  })

  it('returns 401 for a wrong password, which is counted', async () => {
    const { owner, repository } = await owned({ is_private: true })
    const { stderr } = await git(['ls-remote', addressOf(site, repository, { basic: [owner.name, 'wrong'] })])
    expect(stderr).toContain('Authentication failed')
    for (let failed = 1; failed < 10; failed++) {
      await ask(repository.path, 'git-upload-pack', basic({ ...owner, password: 'wrong' }))
    }
    const answer = await ask(repository.path, 'git-upload-pack', basic(owner))
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await ask(repository.path, 'git-upload-pack', `token ${owner.token}`)).status).toBe(200)
  })

  it('returns 403 for a push by someone with read access, and changes nothing', async () => {
    const { repository } = await owned()
    const reader = await makePerson(site)
    const local = work.path()
    await startLocal(local)
    const { code, stderr } = await git(['push', addressOf(site, repository, reader), 'main'], { cwd: local })
    expect(code).toBe(128)
    expect(stderr).toContain('You can read this repository but cannot push to it.')
    expect(stderr).toContain('403')
    expect(await refsOf(repository)).toEqual({})
  })

  it.each([
    { units: { 'repo.code': 'write' }, fetch: 200, push: 200 },
    { units: { 'repo.code': 'read' }, fetch: 200, push: 403 },
    { units: { 'repo.issues': 'write' }, fetch: 403, push: 403 },
  ] as const)(
    'returns $fetch for a fetch and $push for a push to a private repository with a team of $units',
    async ({ units, ...expected }) => {
      const owner = await makePerson(site)
      const org = await makeOrg(site.db, owner.account.id)
      const repository = await makeGitRepository(site, org, { is_private: true })
      const team = await makeTeam(site.db, org.id, {}, units)
      const member = await makePerson(site)
      await addToTeam(site.db, team, member.account.id)
      await attach(site.db, team, repository.id)
      const [fetched, pushed] = await Promise.all([
        ask(repository.path, 'git-upload-pack', basic(member)),
        ask(repository.path, 'git-receive-pack', basic(member)),
      ])
      expect({ fetch: fetched.status, push: pushed.status }).toEqual(expected)
    },
  )

  it.each([
    { scopes: ['read:repository'], fetch: 200, push: 403 },
    { scopes: ['write:repository'], fetch: 200, push: 200 },
    { scopes: ['write:issue', 'read:user'], fetch: 403, push: 403 },
    { scopes: ['public-only', 'write:repository'], fetch: 404, push: 404 },
    { scopes: ['all'], fetch: 200, push: 200 },
  ] as { scopes: Scope[]; fetch: number; push: number }[])(
    'returns $fetch for a fetch and $push for a push to a private repository with a token of $scopes',
    async ({ scopes, ...expected }) => {
      const { owner, repository } = await owned({ is_private: true })
      const token = `token ${await makeToken(site, owner.account.id, scopes)}`
      const [fetched, pushed] = await Promise.all([
        ask(repository.path, 'git-upload-pack', token),
        ask(repository.path, 'git-receive-pack', token),
      ])
      expect({ fetch: fetched.status, push: pushed.status }).toEqual(expected)
      if (expected.fetch === 403) expect(await fetched.text()).toContain('read:repository')
    },
  )

  it('returns 403 with the reason to an account that must change its password', async () => {
    const { owner, repository } = await owned()
    await site.db
      .updateTable('users')
      .set({ must_change_password: true })
      .where('id', '=', owner.account.id)
      .execute()
    const answer = await ask(repository.path, 'git-upload-pack', basic(owner))
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('You must change your password.')
  })

  it('ignores Sudo and tokens in the query', async () => {
    const { owner, repository } = await owned({ is_private: true })
    const admin = await makePerson(site, { is_admin: true })
    const url = `${site.url}${repository.path}.git/info/refs?service=git-upload-pack`
    const sudo = await fetch(url, {
      headers: { authorization: `token ${admin.token}`, sudo: 'nobody-at-all' },
    })
    expect(sudo.status).toBe(200)
    expect((await fetch(`${url}&token=${owner.token}`)).status).toBe(401)
  })

  it('returns 403 for a push to an archived repository, which can be fetched', async () => {
    const { owner, repository } = await owned({ archived_at: new Date() })
    const local = work.path()
    await startLocal(local)
    const remote = addressOf(site, repository, owner)
    await gitOk(['ls-remote', remote])
    const { code, stderr } = await git(['push', remote, 'main'], { cwd: local })
    expect(code).toBe(128)
    expect(stderr).toContain('archived')
  })

  it('returns 403 also for a push that is sent without listing the refs first', async () => {
    const { repository } = await owned()
    const reader = await makePerson(site)
    const response = await fetch(`${site.url}${repository.path}.git/git-receive-pack`, {
      method: 'POST',
      body: '0000',
      headers: { 'content-type': 'application/x-git-receive-pack-request', authorization: basic(reader) },
    })
    expect(response.status).toBe(403)
  })

  describe('after a rename', () => {
    async function renamed(overrides: Parameters<typeof makeGitRepository>[2] = {}) {
      const { owner, repository } = await owned(overrides)
      const local = work.path()
      const tip = await startLocal(local)
      await gitOk(['push', '-q', addressOf(site, repository, owner), 'main'], { cwd: local })
      const name = `${repository.name}-new`
      const formerOwner = `${owner.name}-former`
      await site.db.updateTable('repositories').set({ name }).where('id', '=', repository.id).execute()
      await site.db
        .insertInto('repository_redirects')
        .values({ owner_id: owner.account.id, name: repository.name, repository_id: repository.id })
        .execute()
      await site.db
        .insertInto('account_redirects')
        .values({ name: formerOwner, account_id: owner.account.id })
        .execute()
      const now: Pick<GitRepository, 'path'> = { path: `/${owner.name}/${name}` }
      const byFormerOwner = { path: `/${formerOwner}/${name}` }
      const byBothFormer = { path: `/${formerOwner}/${repository.name}` }
      return { owner, repository, local, tip, now, byFormerOwner, byBothFormer }
    }

    it('redirects the list of refs with 301 to the new URL, with its query', async () => {
      const { repository, now, byFormerOwner, byBothFormer } = await renamed()
      for (const { path } of [repository, byFormerOwner, byBothFormer]) {
        const answer = await ask(path, 'git-upload-pack')
        expect(answer.status).toBe(301)
        expect(answer.headers.get('location')).toBe(`${now.path}.git/info/refs?service=git-upload-pack`)
      }
    })

    it('lets git clone from the old URL and push to it', async () => {
      const { owner, repository, local, tip } = await renamed()
      const copy = work.path()
      const { code, stderr } = await git(['clone', addressOf(site, repository), copy])
      expect(code).toBe(0)
      expect(stderr).toContain('redirecting to')
      expect(await gitOk(['rev-parse', 'HEAD'], { cwd: copy })).toBe(tip)
      await gitOk(['push', '-q', addressOf(site, repository, owner), 'main:side'], { cwd: local })
      expect(Object.keys(await refsOf(repository))).toContain('refs/heads/side')
    })

    it('serves a request that is sent directly to the old URL', async () => {
      const { repository } = await renamed()
      const response = await fetch(`${site.url}${repository.path}.git/git-upload-pack`, {
        method: 'POST',
        body: '0014command=ls-refs\n00010000',
        headers: { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' },
        redirect: 'manual',
      })
      expect(response.status).toBe(200)
    })

    it('hides the new name from people who cannot see the repository', async () => {
      const { repository } = await renamed({ is_private: true })
      const stranger = await makePerson(site)
      expect((await ask(repository.path, 'git-upload-pack')).status).toBe(401)
      expect((await ask(repository.path, 'git-upload-pack', basic(stranger))).status).toBe(404)
    })
  })
})
