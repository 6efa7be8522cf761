import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLookup } from './resolve-name'

const zone: Record<string, string[]> = {
  'hooks.example': ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  'old.example': ['192.0.2.3'],
  'ci.corp.example': ['192.0.2.4'],
  'ci.prod.corp.example': ['192.0.2.5'],
  ci: ['192.0.2.6'],
}

const asked: string[] = []
let server: ReturnType<typeof createSocket>
let directory: string

beforeEach(async () => {
  asked.length = 0
  directory = await mkdtemp(join(tmpdir(), 'guildhall-names-'))
  server = createSocket('udp4', (query, from) => {
    const answer = answerTo(query)
    if (answer) server.send(answer, from.port, from.address)
  }).bind(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(async () => {
  server.close()
  await rm(directory, { recursive: true })
})

/** Responds like a name server (RFC 1035), but not at all for names that start with `silent`. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  for (; query[at]; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  const name = labels.join('.').toLowerCase()
  const type = query.readUInt16BE(at + 1)
  asked.push(name)
  if (name.startsWith('silent')) return undefined
  const length = type === 1 ? 4 : 16
  const addresses = (zone[name] ?? []).map(text => ipaddr.parse(text).toByteArray())
  const records = addresses
    .filter(bytes => bytes.length === length)
    .map(bytes => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, length, ...bytes]))
  const header = Buffer.from([0, 0, 0x81, zone[name] ? 0x80 : 0x83, 0, 1, 0, records.length, 0, 0, 0, 0])
  query.copy(header, 0, 0, 2)
  return Buffer.concat([header, query.subarray(12, at + 5), ...records])
}

async function lookUp(name: string, files: { hosts?: string; config?: string } = {}): Promise<string[]> {
  const [hostsFile, configFile] = [join(directory, 'hosts'), join(directory, 'resolv.conf')]
  await writeFile(hostsFile, files.hosts ?? '')
  await writeFile(configFile, files.config ?? '')
  return createLookup({ hostsFile, configFile, servers: [`127.0.0.1:${server.address().port}`] })(name)
}

describe('looking up a name', () => {
  it('returns all its addresses of both families', async () => {
    expect(await lookUp('hooks.example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
    expect(await lookUp('old.example')).toEqual(['192.0.2.3'])
  })

  it('returns no addresses if it has none', async () => {
    expect(await lookUp('nobody.example')).toEqual([])
    expect(await lookUp('a..b')).toEqual([])
  })

  it('returns the addresses in the hosts file without querying a name server', async () => {
    const hosts =
      '# old.example\nelsewhere hooks.example\n192.0.2.8 other.example\n10.0.0.1\tHooks.Example hooks # ours\nfd12::1 hooks.example\n'
    expect(await lookUp('HOOKS.example.', { hosts })).toEqual(['10.0.0.1', 'fd12::1'])
    expect(asked).toEqual([])
  })

  it.each(['localhost', 'LocalHost.', 'a.localhost'])(
    'returns the loopback addresses for %s, even if the hosts file has others',
    async name => {
      expect(await lookUp(name, { hosts: `192.0.2.1 ${name}` })).toEqual(['127.0.0.1', '::1'])
      expect(asked).toEqual([])
    },
  )

  it.each([
    ['ci', 'search prod.corp.example corp.example', '192.0.2.5'],
    ['ci', 'domain corp.example', '192.0.2.4'],
    ['ci', '', '192.0.2.6'],
    ['ci.', 'search corp.example', '192.0.2.6'],
    ['hooks.example', 'search corp.example', '192.0.2.1'],
    ['ci.corp', 'search example\noptions timeout:1 ndots:5', '192.0.2.4'],
    ['ci.corp', 'search example', '192.0.2.4'],
  ])('such as %s, with the resolver configuration "%s", returns %s', async (name, config, address) => {
    expect((await lookUp(name, { config }))[0]).toBe(address)
  })

  it('fails after five seconds without a response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const looked = expect(lookUp('silent.example')).rejects.toMatchObject({
      message: 'the name servers could not resolve silent.example: ECANCELLED',
      code: 'EAI_AGAIN',
    })
    await vi.waitUntil(() => asked.length > 0)
    vi.advanceTimersByTime(5_000)
    vi.useRealTimers()
    await looked
  })
})
