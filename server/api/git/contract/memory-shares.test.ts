import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pushesFolder } from '@/server/repos/storage/paths'
import { gitOk, processesOn } from '@/testing/git'
import {
  addressOf,
  type GitRepository,
  makeGitRepository,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const trustedProxies = (address: string | undefined) => address === '127.0.0.1'
const mib = 1024 * 1024

describe.skipIf(mount === 'next')('with the minimum memory, Git', () => {
  const site = useSite({ trustedProxies, gitMemoryBytes: 1024 * mib })
  const work = useWorkDirectory()

  /** Creates a repository that counts as a large one, with a file of random bytes. */
  async function prepare({ noiseBytes = 0 } = {}) {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account, { size_kib: 1024 * 1024 })
    const local = work.path()
    await startLocal(local)
    await writeFile(join(local, 'noise'), randomBytes(noiseBytes))
    await gitOk(['add', 'noise'], { cwd: local })
    await gitOk(['commit', '-q', '-m', 'Noise'], { cwd: local })
    await gitOk(['push', '-q', repository.directory, 'main'], { cwd: local })
    return { person, repository, local }
  }

  const post = (
    repository: GitRepository,
    service: string,
    address: string,
    headers: Record<string, string> = {},
  ): ClientRequest => {
    const sent = request(`${addressOf(site, repository)}/${service}`, {
      method: 'POST',
      headers: { 'content-type': `application/x-${service}-request`, 'x-forwarded-for': address, ...headers },
    })
    sent.on('error', () => undefined)
    onTestFinished(() => void sent.destroy())
    return sent
  }

  async function expectToBeServed(repository: GitRepository, address: string): Promise<void> {
    const url = addressOf(site, repository)
    const headers = { 'x-forwarded-for': address }
    expect((await fetch(`${url}/info/refs?service=git-upload-pack`, { headers })).status).toBe(200)
    const header = `http.extraHeader=X-Forwarded-For: ${address}`
    await gitOk(['-c', header, 'clone', '-q', '--bare', url, work.path()])
  }

  it('serves a clone while one client has stopped reading its clone of a large repository', async () => {
    // More than the buffers on the way take.
    const { repository } = await prepare({ noiseBytes: 16 * mib })
    const tip = (await refsOf(repository))['refs/heads/main']
    const slow = post(repository, 'git-upload-pack', '192.0.2.1')
    slow.end(`0032want ${tip}\n00000009done\n`)
    await once(slow, 'response')
    await expectToBeServed(repository, '198.51.100.1')
    expect(await processesOn(repository.directory)).not.toEqual([])
  })

  it('serves a clone and a push while one account has started many pushes that announce a million objects', async () => {
    const [{ repository }, { person, repository: own }] = await Promise.all([prepare(), prepare()])
    const authorization = `token ${person.token}`
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/other\0report-status`
    const length = (command.length + 4).toString(16).padStart(4, '0')
    for (let count = 0; count < 6; count++) {
      const slow = post(own, 'git-receive-pack', `192.0.2.${count}`, { authorization })
      slow.write(Buffer.from(`${length}${command}0000PACK\0\0\0\x02\x00\x0f\x42\x40`, 'latin1'))
    }
    const begun = () => readdir(pushesFolder(site.services.config)).catch(() => [])
    await expect.poll(begun, { timeout: 20_000 }).toHaveLength(2)
    await expectToBeServed(repository, '198.51.100.1')
    const other = await prepare()
    await gitOk(['push', '-q', addressOf(site, other.repository, other.person), 'main:other'], {
      cwd: other.local,
    })
    expect(await begun()).toHaveLength(2)
  })
})
