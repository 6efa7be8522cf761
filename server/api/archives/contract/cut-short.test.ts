import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHttpServer } from '@/server/http/server'
import { gitOk, processesOn } from '@/testing/git'
import {
  addressOf,
  type GitRepository,
  makeGitRepository,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { defaultLimits } from '../../git/limits'
import { archivesMount, createArchivesHandler } from '../handler'

const patiently = { timeout: 20_000 }
const mib = 1024 * 1024

describe.skipIf(mount === 'next')('an archive download', () => {
  const site = useSite()
  const work = useWorkDirectory()
  let repository: GitRepository
  // Git may have the least memory for it.
  let small: GitRepository
  beforeAll(async () => {
    const person = await makePerson(site)
    repository = await makeGitRepository(site, person.account)
    const local = work.path()
    await startLocal(local)
    small = await makeGitRepository(site, person.account)
    await gitOk(['push', '-q', addressOf(site, small, person), 'main'], { cwd: local })
    // More than all buffers on the way can hold.
    await writeFile(join(local, 'noise'), randomBytes(16 * mib))
    await gitOk(['add', 'noise'], { cwd: local })
    await gitOk(['commit', '-q', '-m', 'Noise'], { cwd: local })
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
  })

  const inside = (args: string[], input?: string, { directory } = repository) =>
    gitOk(['--git-dir', directory, ...args], { input })
  const archive = (name: string, { path } = repository) => `${path}/archive/${name}`
  const quiet = ({ directory } = repository) =>
    expect.poll(() => processesOn(directory), patiently).toEqual([])

  it('stops Git when the client disconnects', async () => {
    const sent = get(`${site.url}${archive('main.zip')}`)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response, 'readable')
    expect(await processesOn(repository.directory)).not.toEqual([])
    response.destroy()
    await quiet()
  })

  it.each(['zip', 'tar.gz'])(
    'closes the connection if Git fails, so that a partial %s is not mistaken for a complete one',
    async format => {
      const missing = await inside(['hash-object', '-w', '--stdin'], randomBytes(20).toString('hex'))
      const noise = await inside(['rev-parse', 'main:noise'])
      const tree = await inside(['mktree'], `100644 blob ${noise}\ta\n100644 blob ${missing}\tb\n`)
      const commit = await inside(['commit-tree', '-m', 'Half', tree])
      await rm(join(repository.directory, 'objects', missing.slice(0, 2), missing.slice(2)))
      const response = await fetch(`${site.url}${archive(`${commit}.${format}`)}`)
      expect(response.status).toBe(200)
      await expect(response.arrayBuffer()).rejects.toThrow()
    },
  )

  // Filling that much memory can take long on a busy machine.
  it('returns 422 before anything is sent if Git needs more memory than allowed', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const file = await inside(['hash-object', '-w', '--stdin'], 'small', small)
    let tree = await inside(['mktree'], `100644 blob ${file}\tf\n`, small)
    for (let level = 0; level < 9; level++) {
      const lines = Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\t${index}\n`)
      tree = await inside(['mktree'], lines.join(''), small)
    }
    const commit = await inside(['commit-tree', '-m', 'A thousand million files', tree], undefined, small)
    const response = await fetch(`${site.url}/api/v1/repos${archive(`${commit}.zip`, small)}`)
    expect(response.status).toBe(422)
    expect((await response.json()).message).toContain('memory')
    await quiet(small)
  })

  it('returns 503 with Retry-After if too many archives are being created', async () => {
    const limited = {
      ...archivesMount,
      createHandler: () =>
        createArchivesHandler(site.services, { ...defaultLimits, concurrency: 1, maxQueue: 0 }),
    }
    const server = createHttpServer(site.services, (_, response) => void response.end(), {
      mounts: [limited],
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [slow] = (await once(get(`${url}${archive('main.zip')}`), 'response')) as [IncomingMessage]
    for (const base of [url, `${url}/api/v1/repos`]) {
      const refused = await fetch(`${base}${archive('main.zip')}`)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await refused.text()).toContain('try again')
    }
    expect((await fetch(`${url}${archive('main.zip')}`, { method: 'HEAD' })).status).toBe(200)
    slow.destroy()
    await quiet()
    const status = async (): Promise<number> => (await fetch(`${url}${archive('main.zip')}`)).status
    await expect.poll(status).toBe(200)
    server.closeAllConnections()
    server.close()
  })
})
