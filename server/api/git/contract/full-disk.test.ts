import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { git, gitOk } from '@/testing/git'
import { addressOf, makeGitRepository, refsOf, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { mountSmallDisk } from '@/testing/small-disk'
import { addGeneratedKey, hasSsh, useSsh } from '@/testing/ssh'

const mib = 1024 * 1024
const disk = await mountSmallDisk(22)
afterAll(() => disk?.unmount())

describe.skipIf(!disk || mount === 'next')('a full disk of the repositories', () => {
  const repositoryDir = join(disk?.directory ?? '', 'repositories')
  const site = useSite({ repositoryDir })
  const ssh = useSsh(site)
  const work = useWorkDirectory()
  afterEach(() => disk!.empty())

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    await startLocal(local)
    return { person, repository, local, remote: addressOf(site, repository, person) }
  }
  const ready = async (): Promise<unknown[]> => {
    const answer = await fetch(`${site.url}/readyz`)
    return [answer.status, await answer.json()]
  }

  it('refuses a new repository with 503 and leaves nothing of it, and `/readyz` says why', async () => {
    const person = await makePerson(site)
    const create = () =>
      call(site, 'POST', '/user/repos', { as: person, body: { name: 'tools', auto_init: true } })
    expect(await ready()).toEqual([200, { status: 'ok' }])
    await disk!.fill()
    const refused = await create()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    expect(refused.body.message).toBe('the storage is full')
    expect((await call(site, 'GET', `/repos/${person.name}/tools`, { as: person })).status).toBe(404)
    expect(await ready()).toEqual([503, { status: 'the repository directory has no space left on its disk' }])
    await disk!.empty()
    expect((await create()).status).toBe(201)
    expect(await ready()).toEqual([200, { status: 'ok' }])
  })

  it('refuses a push with 503 before it is sent, with a message that Git shows', async () => {
    const { repository, local, remote } = await prepare()
    await disk!.fill()
    const { code, stderr } = await git(['push', remote, 'main'], { cwd: local })
    expect(code).not.toBe(0)
    expect(stderr).toContain('remote: the storage is full')
    expect(stderr).toContain('503')
    expect(await refsOf(repository)).toEqual({})
    await disk!.empty()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
  })

  it.skipIf(!hasSsh)('refuses a push over SSH with the same message', async () => {
    const { person, repository, local } = await prepare()
    const { file } = await addGeneratedKey(site, ssh, person)
    await disk!.fill()
    const options = { cwd: local, settings: ssh.settings(file) }
    const { code, stderr } = await git(['push', ssh.address(repository.path), 'main'], options)
    expect(code).not.toBe(0)
    expect(stderr).toContain('Guildhall: the storage is full')
    expect(await refsOf(repository)).toEqual({})
  })

  it('makes Git refuse a push that does not fit, and keeps nothing of it', async () => {
    const { repository, local, remote } = await prepare()
    await writeFile(join(local, 'large'), randomBytes(10 * mib))
    await gitOk(['add', 'large'], { cwd: local })
    await gitOk(['commit', '-q', '-m', 'Large'], { cwd: local })
    await disk!.fill(9 * mib)
    const { code, stderr } = await git(['push', remote, 'main'], { cwd: local })
    expect(code).not.toBe(0)
    expect(stderr).toContain('No space left on device')
    expect(await refsOf(repository)).toEqual({})
    const left = await readdir(join(repository.directory, 'objects'), { recursive: true })
    expect(left.filter(name => /tmp|pack-/.test(name))).toEqual([])
    expect(await readdir(join(repositoryDir, 'pushes'))).toEqual([])
    await disk!.empty()
    await gitOk(['push', '-q', remote, 'main'], { cwd: local })
  })
})
