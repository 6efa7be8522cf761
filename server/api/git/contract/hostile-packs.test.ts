import { createHash, randomBytes } from 'node:crypto'
import { open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  commit,
  makeGitRepository,
  refsOf,
  rowOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const types = { commit: 1, tree: 2, delta: 6 }
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const header = `tree ${emptyTree}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\n`

// Seven bits to a byte, the lowest first; all but the last have the eighth bit set.
function sizeBytes(size: number): number[] {
  return size < 128 ? [size] : [(size % 128) + 128, ...sizeBytes(Math.floor(size / 128))]
}

function entry(type: keyof typeof types, data: Buffer, before: number[] = []): Buffer {
  const [low, rest] = [data.length % 16, Math.floor(data.length / 16)]
  const head = rest ? [types[type] * 16 + low + 128, ...sizeBytes(rest)] : [types[type] * 16 + low]
  return Buffer.concat([Buffer.from([...head, ...before]), deflateSync(data)])
}

// How far back the base of a delta begins; here never as far as two bytes cannot say.
const distance = (bytes: number): number[] =>
  bytes < 128 ? [bytes] : [Math.floor(bytes / 128) - 1 + 128, bytes % 128]

const copy64k = (from: number): number[] => [0x80 + 0x01, from]

const small = Buffer.from(header + 'a'.repeat(65_536))

const packOf = (entries: readonly Buffer[]): Buffer => {
  const head = Buffer.from(`PACK\0\0\0\x02\0\0\0${String.fromCharCode(entries.length)}`, 'latin1')
  const body = Buffer.concat([head, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

const idOf = (text: string | Buffer): string =>
  createHash('sha1').update(`commit ${text.length}\0`).update(text).digest('hex')

/** A pack whose newest commit is a small delta of a commit of so many times 64 KiB, which is a delta itself. */
function deltaBomb(times: number): { pack: Buffer; tip: string } {
  const large = header.length + times * 65_536
  const base = entry('commit', small)
  const start = [...sizeBytes(small.length), ...sizeBytes(large), 0x90, header.length]
  const copies = Array.from({ length: times }, () => copy64k(header.length)).flat()
  const bomb = entry('delta', Buffer.from([...start, ...copies]), distance(base.length))
  const text = `${header}tip\n`
  const tail = [...sizeBytes(large), ...sizeBytes(text.length), 0x90, header.length, 4]
  const last = entry('delta', Buffer.concat([Buffer.from(tail), Buffer.from('tip\n')]), distance(bomb.length))
  return { pack: packOf([entry('tree', Buffer.alloc(0)), base, bomb, last]), tip: idOf(text) }
}

/** A pack of commits that are deltas of one another, each of so many times 64 KiB. */
function manyLarge(commits: number, times: number): { pack: Buffer; tips: string[] } {
  const large = header.length + 1 + times * 65_536
  const entries = [entry('tree', Buffer.alloc(0)), entry('commit', small)]
  const tips: string[] = []
  let back = entries[1]?.length ?? 0
  for (let index = 0; index < commits; index++) {
    const start = [...sizeBytes(small.length), ...sizeBytes(large), 0x90, header.length, 1, 65 + index]
    const copies = Array.from({ length: times }, () => copy64k(header.length)).flat()
    const next = entry('delta', Buffer.from([...start, ...copies]), distance(back))
    entries.push(next)
    back += next.length
    tips.push(idOf(Buffer.from(header + String.fromCharCode(65 + index) + 'a'.repeat(times * 65_536))))
  }
  return { pack: packOf(entries), tips }
}

describe.skipIf(mount === 'next')('a pack', () => {
  const site = useSite()
  const work = useWorkDirectory()

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const packet = (words: string) => (words.length + 4).toString(16).padStart(4, '0') + words
    const post = async (pack: Buffer, ...tips: string[]) => {
      const refs = tips.map((tip, index) =>
        packet(`${'0'.repeat(40)} ${tip} refs/heads/${index || 'main'}${index ? '' : '\0report-status'}`),
      )
      const answer = await fetch(`${addressOf(site, repository)}/git-receive-pack`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-git-receive-pack-request',
          authorization: `token ${person.token}`,
        },
        body: new Uint8Array(Buffer.concat([Buffer.from(`${refs.join('')}0000`), pack])),
      })
      return await answer.text()
    }
    return { repository, post, remote: addressOf(site, repository, person) }
  }

  it('of a few hundred bytes that expands to hundreds of megabytes is refused, and nothing of it is kept', async () => {
    const { repository, post } = await prepare()
    const { pack, tip } = deltaBomb(6400)
    expect(pack.length).toBeLessThan(2048)
    expect(await post(pack, tip)).toMatch(/unpack .*(abnormal exit|fail)/)
    expect(await refsOf(repository)).toEqual({})
    expect(await readdir(join(repository.directory, 'objects'))).toEqual(['info', 'pack'])
    const { pack: smaller, tip: other } = deltaBomb(16)
    expect(await post(smaller, other)).toContain('unpack ok')
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': other })
  })

  it('of small commits that together need too much memory ends Git, and the refs that were updated are recorded', async () => {
    const { repository, post } = await prepare()
    const { pack, tips } = manyLarge(12, 300)
    expect(pack.length).toBeLessThan(2048)
    expect(await post(pack, ...tips)).toContain('Git could not')
    const done = Object.keys(await refsOf(repository)).length
    expect(done).toBeLessThan(tips.length)
    expect((await rowOf(site, repository)).branch_count).toBe(done)
  })

  it('with a file larger than Git can hold in memory is accepted, also as a new version, and can be fetched', async () => {
    const { remote } = await prepare()
    const local = work.path()
    await startLocal(local)
    const settings = { 'core.compression': '0' }
    const file = join(local, 'large')
    await writeFile(file, randomBytes(40 * 1024 * 1024))
    await gitOk(['add', 'large'], { cwd: local, settings })
    await commit(local)
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const handle = await open(file, 'r+')
    await handle.write('changed', 1000)
    await handle.close()
    await gitOk(['add', 'large'], { cwd: local, settings })
    const newest = await commit(local)
    await gitOk(['push', '-q', remote, 'main'], { cwd: local, settings })
    const copy = work.path()
    await gitOk(['clone', '-q', '--bare', remote, copy])
    expect((await git(['fsck', '--strict'], { cwd: copy })).code).toBe(0)
    expect(await gitOk(['rev-parse', 'main'], { cwd: copy })).toBe(newest)
  })
})
