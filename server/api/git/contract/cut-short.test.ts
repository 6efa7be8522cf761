import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createHttpServer } from '@/server/http/server'
import type { Config } from '@/server/kernel/config'
import { pushesFolder } from '@/server/repos/storage/paths'
import type { Services } from '@/server/services'
import { gitOk, processesOn } from '@/testing/git'
import {
  addressOf,
  makeGitRepository,
  pushBody,
  recordedEvents,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { createGitHandler, gitMount } from '../handler'
import { defaultLimits, type GitLimits } from '../limits'

const patiently = { timeout: 20_000 }

describe.skipIf(mount === 'next')('an interrupted Git command', () => {
  const site = useSite()
  const work = useWorkDirectory()

  const startPush = (address: string, person: Person) => {
    const sent = request(`${address}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `token ${person.token}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
    })
    sent.on('error', () => undefined)
    return sent
  }

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    const tip = await startLocal(local)
    return { person, repository, local, tip }
  }

  const quiet = (directory: string) => expect.poll(() => processesOn(directory), patiently).toEqual([])

  it('leaves nothing behind if the client disconnects in the middle of a push', async () => {
    const { person, repository, local, tip } = await prepare()
    const body = await pushBody(local, tip)
    const sent = startPush(addressOf(site, repository), person)
    sent.write(body.subarray(0, body.length - 10))
    await expect
      .poll(() => readdir(pushesFolder(site.services.config)).catch(() => []), patiently)
      .toHaveLength(1)
    sent.destroy()
    await expect.poll(() => readdir(pushesFolder(site.services.config)), patiently).toEqual([])
    await quiet(repository.directory)
    expect(await refsOf(repository)).toEqual({})
    expect(await recordedEvents(site, repository)).toEqual([])
    expect(await readdir(join(repository.directory, 'objects'))).toEqual(['info', 'pack'])
  })

  it('is a complete push if the client disconnects while Git reports its result', async () => {
    const { person, repository, local, tip } = await prepare()
    const sent = startPush(addressOf(site, repository), person)
    sent.end(await pushBody(local, tip))
    await once(sent, 'response')
    sent.destroy()
    await expect.poll(() => recordedEvents(site, repository), patiently).toHaveLength(2)
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
  })

  it('ends Git if the client disconnects in the middle of a clone', async () => {
    const { person, repository, local } = await prepare()
    await writeFile(join(local, 'noise'), randomBytes(20 * 1024 * 1024))
    await gitOk(['add', 'noise'], { cwd: local })
    await gitOk(['commit', '-q', '-m', 'Noise'], { cwd: local })
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    const tip = await gitOk(['rev-parse', 'HEAD'], { cwd: local })
    const sent = request(`${addressOf(site, repository)}/git-upload-pack`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-git-upload-pack-request' },
    })
    sent.on('error', () => undefined)
    sent.end(`0032want ${tip}\n00000009done\n`)
    const [response] = await once(sent, 'response')
    await once(response, 'readable')
    sent.destroy()
    await quiet(repository.directory)
  })

  /** The site again, with limits of its own. */
  async function openLimited(config: Partial<Config>, limits: Partial<GitLimits>) {
    const services = { ...site.services, config: { ...site.services.config, ...config } }
    const mount = {
      ...gitMount,
      createHandler: (opened: Services) => createGitHandler(opened, { ...defaultLimits, ...limits }),
    }
    const server = createHttpServer(services, (_, response) => void response.end(), { mounts: [mount] })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      [Symbol.dispose]() {
        server.closeAllConnections()
        server.close()
      },
    }
  }

  it('returns 503 with Retry-After if all slots are in use and the queue is full', async () => {
    const { person, repository, local, tip } = await prepare()
    using limited = await openLimited({}, { concurrency: 1, maxQueue: 0 })
    const base = `${limited.url}${repository.path}.git`
    const holding = startPush(base, person)
    holding.write((await pushBody(local, tip)).subarray(0, -5))
    await expect.poll(() => processesOn(repository.directory), patiently).not.toEqual([])
    const post = (service: string) =>
      fetch(`${base}/${service}`, {
        method: 'POST',
        body: '0000',
        headers: {
          authorization: `token ${person.token}`,
          'content-type': `application/x-${service}-request`,
        },
      })
    const refused = await post('git-receive-pack')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.text()).toContain('try again')
    expect((await fetch(`${base}/info/refs?service=git-upload-pack`)).status).toBe(200)
    expect((await post('git-upload-pack')).status).not.toBe(503)
    holding.destroy()
    await quiet(repository.directory)
  })

  it('returns 503 for a fetch from an address with too many unread fetch requests', async () => {
    const { repository } = await prepare()
    using limited = await openLimited({}, { maxQuestionsOfAddress: 2, timeoutMs: 20 })
    const url = `${limited.url}${repository.path}.git/git-upload-pack`
    const headers = { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' }
    const slow = request(url, { method: 'POST', headers })
    slow.on('error', () => undefined).write('0')
    const body = '0014command=ls-refs\n00010000'
    const status = async () => (await fetch(url, { method: 'POST', headers, body })).status
    await expect.poll(status, patiently).toBe(503)
    slow.destroy()
    await expect.poll(status, patiently).toBe(200)
  })

  it('returns 503 for a push if there is no memory for Git, and discards its body', async () => {
    const { person, repository, local, tip } = await prepare()
    using limited = await openLimited({ gitMemoryBytes: 1024 * 1024 * 1024 }, { maxQueue: 0 })
    const base = `${limited.url}${repository.path}.git`
    const body = await pushBody(local, tip)
    const holding = Array.from({ length: 3 }, () => startPush(base, person))
    for (const sent of holding) sent.write(body.subarray(0, -5))
    const begun = () => readdir(pushesFolder(site.services.config))
    await expect.poll(begun, patiently).toHaveLength(3)
    const sent = startPush(base, person)
    sent.end(Buffer.concat([body, Buffer.alloc(32 * 1024 * 1024)]))
    const [[refused]] = await Promise.all([once(sent, 'response'), once(sent, 'finish')])
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('5')
    refused.resume()
    for (const held of holding) held.destroy()
    await expect.poll(begun, patiently).toEqual([])
    await quiet(repository.directory)
    const again = startPush(base, person)
    again.end(body)
    const [served] = await once(again, 'response')
    expect(served.statusCode).toBe(200)
    served.resume()
  })
})
