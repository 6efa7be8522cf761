import { describe, expect, it } from 'vitest'
import { openPushBody } from './pack-header'

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
const refs = `${packet(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0report-status`)}${packet('x'.repeat(900))}`
const pack = 'PACK\0\0\0\x02\0\x01\0\x05 and so on'

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function open(text: string, size: number): Promise<{ objects: number; whole: boolean }> {
  const { objects, body } = await openPushBody(pieces(text, size))
  const read: Buffer[] = []
  for await (const chunk of body) read.push(chunk)
  return { objects, whole: Buffer.concat(read).toString('latin1') === text }
}

describe('openPushBody', () => {
  it.each([1, 3, 4, 7, 64, 950, 100_000])(
    'reads the number of objects from a body in chunks of %i bytes, and loses nothing',
    async size => {
      expect(await open(`${refs}0000${pack}`, size)).toEqual({ objects: 65_541, whole: true })
    },
  )

  const asking = packet(
    `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0 report-status push-options quiet`,
  )
  const options = `${packet('ci.skip')}${packet('x'.repeat(900))}0000`

  it.each([1, 4, 7, 950, 100_000])('reads past push options in chunks of %i bytes', async size => {
    const text = `${asking}${refs}0000${options}${pack}`
    expect(await open(text, size)).toEqual({ objects: 65_541, whole: true })
    const { capabilities } = await openPushBody(pieces(text, size))
    expect([...capabilities]).toEqual(['push-options', 'quiet'])
  })

  it('reads to the end of the options of a push that only deletes refs', async () => {
    const deleting = asking.replace('1'.repeat(40), '0'.repeat(40))
    async function* open(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${deleting}0000${options}`)
      await new Promise(() => undefined)
    }
    expect(await openPushBody(open())).toMatchObject({ objects: 0 })
  })

  it.each([
    ['many options', packet('a').repeat(1001)],
    ['long options', packet('x'.repeat(60_000)).repeat(18)],
  ])('refuses a body with too %s before Git reads it', async (_, long) => {
    const body = pieces(`${asking}0000${long}0000${pack}`, 10_000)
    await expect(openPushBody(body)).rejects.toThrow(
      'Use at most 100 push options, with a maximum of 64 KiB in total.',
    )
  })

  it.each([
    ['no pack', `${refs}0000`],
    ['nothing at all', ''],
    ['only the end of a list', '0000'],
    ['half a list', refs.slice(0, 300)],
    ['no packets', `hello${pack}`],
    ['a length too short', `0003${pack}`],
    ['something else than a pack', `${refs}0000${'x'.repeat(50)}`],
  ])('finds no objects in a body with %s, and loses nothing', async (_, text) => {
    for (const size of [1, 5, 1000]) expect(await open(text, size)).toEqual({ objects: 0, whole: true })
  })

  it('reads a push that only deletes refs no further than the end of their list', async () => {
    const deleted = packet(`${'1'.repeat(40)} ${'0'.repeat(40)} refs/heads/old\0report-status`)
    async function* open(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${packet(`shallow ${'2'.repeat(40)}`)}${deleted}0000`)
      await new Promise(() => undefined)
    }
    expect(await openPushBody(open())).toMatchObject({ objects: 0 })
  })

  it('finds no objects in a truncated body, which ends for its reader', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from(refs)
      throw new Error('gone')
    }
    const { objects, body } = await openPushBody(broken())
    const read: Buffer[] = []
    for await (const chunk of body) read.push(chunk)
    expect([objects, Buffer.concat(read).toString('latin1')]).toEqual([0, refs])
  })
})
