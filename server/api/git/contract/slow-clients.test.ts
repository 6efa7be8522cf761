import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { gitOk, processesOn } from '@/testing/git'
import {
  addressOf,
  makeGitRepository,
  pushBody,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const trustedProxies = (address: string | undefined) => address === '127.0.0.1'
const listRefs = '0014command=ls-refs\n00010000'

describe.skipIf(mount === 'next')('slow or compressing Git clients', () => {
  const site = useSite({ trustedProxies })
  const work = useWorkDirectory()

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    return { person, repository, local: work.path() }
  }

  const post = (url: string, address: string, service: string, headers: Record<string, string> = {}) => {
    const sent = request(`${url}/${service}`, {
      method: 'POST',
      headers: {
        'content-type': `application/x-${service}-request`,
        'git-protocol': 'version=2',
        'x-forwarded-for': address,
        ...headers,
      },
    })
    sent.on('error', () => undefined)
    return sent
  }

  const statusOf = async (sent: ClientRequest): Promise<number> => {
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }

  it('do not delay a fetch while forty others from one address have not sent their request', async () => {
    const { person, repository, local } = await prepare()
    await startLocal(local)
    await gitOk(['push', '-q', addressOf(site, repository, person), 'main'], { cwd: local })
    const url = addressOf(site, repository)
    const slow = Array.from({ length: 40 }, () => post(url, '192.0.2.1', 'git-upload-pack'))
    for (const sent of slow) sent.write(listRefs.slice(0, 1))
    for (const address of ['198.51.100.1', '192.0.2.1']) {
      const statuses = Array.from({ length: 12 }, () => {
        const sent = post(url, address, 'git-upload-pack')
        sent.end(listRefs)
        return statusOf(sent)
      })
      expect(await Promise.all(statuses)).toEqual(statuses.map(() => 200))
    }
    // A process can outlive the response that it has sent for a moment.
    await expect.poll(() => processesOn(repository.directory)).toEqual([])
    for (const sent of slow) sent.destroy()
  })

  it('do not delay the push of another account while one account uses all of its slots', async () => {
    const { person, repository, local } = await prepare()
    const url = addressOf(site, repository)
    const authorization = `token ${person.token}`
    const other = `token ${(await makePerson(site, { is_admin: true })).token}`
    const body = await pushBody(local, await startLocal(local))
    const slow = Array.from({ length: 40 }, () =>
      post(url, '192.0.2.2', 'git-receive-pack', { authorization }),
    )
    for (const sent of slow) sent.write(body.subarray(0, -5))
    await expect.poll(() => processesOn(repository.directory), { timeout: 20_000 }).not.toEqual([])
    const sent = post(url, '198.51.100.2', 'git-receive-pack', { authorization: other })
    sent.end(body)
    expect(await statusOf(sent)).toBe(200)
    expect(Object.keys(await refsOf(repository))).toEqual(['refs/heads/main'])
    for (const sent of slow) sent.destroy()
    await expect.poll(() => processesOn(repository.directory), { timeout: 20_000 }).toEqual([])
  })

  it('can compress a small push, as JGit does', async () => {
    const { person, repository, local } = await prepare()
    const headers = { authorization: `token ${person.token}`, 'content-encoding': 'gzip' }
    const sent = post(addressOf(site, repository), '192.0.2.3', 'git-receive-pack', headers)
    sent.end(gzipSync(await pushBody(local, await startLocal(local))))
    expect(await statusOf(sent)).toBe(200)
    expect(Object.keys(await refsOf(repository))).toEqual(['refs/heads/main'])
  })

  it('are refused with a compressed push that expands to more than 16 MiB, and nothing of it is kept', async () => {
    const { person, repository, local } = await prepare()
    const headers = { authorization: `token ${person.token}`, 'content-encoding': 'gzip' }
    const body = await pushBody(local, await startLocal(local))
    const command = body.subarray(0, body.indexOf('0000PACK') + 4)
    // One object of 32 MiB, packed as it is: nothing but zeros.
    const blocks = 512
    const size = blocks * 65_535
    const start = [0x80 | (3 << 4) | (size & 15)]
    for (let rest = size >> 4; rest > 0; rest >>= 7) start.push((rest & 127) | (rest > 127 ? 0x80 : 0))
    const block = (isLast: boolean) =>
      Buffer.concat([Buffer.from([isLast ? 1 : 0, 0xff, 0xff, 0, 0]), Buffer.alloc(65_535)])
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE((size % 65_521) * 65_536 + 1)
    const pack = Buffer.concat([
      Buffer.from('PACK\0\0\0\x02\0\0\0\x01'),
      Buffer.from([...start, 0x78, 1]),
      ...Array.from({ length: blocks }, (_, index) => block(index === blocks - 1)),
      checksum,
    ])
    const bomb = gzipSync(Buffer.concat([command, pack, createHash('sha1').update(pack).digest()]))
    expect(bomb.length).toBeLessThan(200_000)
    const sent = post(addressOf(site, repository), '192.0.2.4', 'git-receive-pack', headers)
    sent.end(bomb)
    const [response] = await once(sent, 'response')
    expect(await text(response)).toContain('ng refs/heads/main unpacker error')
    expect(await refsOf(repository)).toEqual({})
    expect(await readdir(join(repository.directory, 'objects'))).toEqual(['info', 'pack'])
  })
})
