import { beforeAll, describe, expect, it } from 'vitest'
import { listRefs, type RefInfo, type RefsWanted } from './'
import { useBareRepository } from './testing/bare-repository'

const { ctx, key, inside } = useBareRepository({ isEmpty: true })

describe('a list of refs', () => {
  const page = (kind: 'heads' | 'tags', wanted: Partial<RefsWanted> = {}) =>
    listRefs(ctx, key, kind, { offset: 0, limit: 50, ...wanted })
  const namesOf = ({ items }: { items: RefInfo[] }) => items.map(item => item.name)

  beforeAll(async () => {
    const people = (day: number) => `A <a@x> ${86_400 * day} +0000`
    const write = (type: string, input: string) => inside(['hash-object', '-t', type, '-w', '--stdin'], input)
    const tree = await write('tree', '')
    const commitOn = (day: number) =>
      write('commit', `tree ${tree}\nauthor ${people(1)}\ncommitter ${people(day)}\n\nx\n`)
    const [old, middle, young] = [await commitOn(10), await commitOn(20), await commitOn(30)]
    const annotation = await write(
      'tag',
      `object ${old}\ntype commit\ntag late\ntagger ${people(40)}\n\nAnnotated late\n`,
    )
    const refs = {
      'heads/main': old,
      'heads/b': middle,
      'heads/a': middle,
      'heads/topic/NEW': young,
      'tags/v1.9.0': old,
      'tags/v1.10.0': old,
      'tags/v0.9': middle,
      'tags/late': annotation,
      'tags/a-file': await write('blob', 'x'),
    }
    const input = Object.entries(refs).map(([ref, id]) => `create refs/${ref} ${id}\n`)
    await inside(['update-ref', '--stdin'], input.join(''))
  })

  it('begins with the branch to list first if it exists, then continues by newest commit', async () => {
    expect(namesOf(await page('heads'))).toEqual(['topic/NEW', 'a', 'b', 'main'])
    expect(namesOf(await page('heads', { first: 'main' }))).toEqual(['main', 'topic/NEW', 'a', 'b'])
    expect(namesOf(await page('heads', { first: 'absent' }))).toEqual(['topic/NEW', 'a', 'b', 'main'])
  })

  it.each(['main', 'topic/NEW', 'a', 'absent'])(
    'contains each ref exactly once across its pages, with %s listed first if it exists',
    async first => {
      const whole = namesOf(await page('heads', { first }))
      for (const limit of [1, 2, 3, 4, 5]) {
        const parts: string[] = []
        for (let offset = 0; offset < 6; offset += limit) {
          const part = await page('heads', { first, offset, limit })
          expect(part.total).toBe(4)
          parts.push(...namesOf(part))
        }
        expect(parts).toEqual(whole)
      }
    },
  )

  it('begins with the newest tag, and orders tags of the same age by highest version', async () => {
    expect(namesOf(await page('tags'))).toEqual(['late', 'v0.9', 'v1.10.0', 'v1.9.0', 'a-file'])
  })

  it('sorted by version begins with the highest version and has prereleases below their release', async () => {
    const [id] = (await inside(['rev-parse', 'refs/heads/b'])).split('\n')
    const names = ['v2.0-rc.2', 'v2.0-rc.10', 'v2.0', 'v2.0-beta', 'v2.0.1', 'v2.1rc1', 'v2.1', 'v2.0+build']
    const write = (verb: 'create' | 'delete') =>
      inside(['update-ref', '--stdin'], names.map(name => `${verb} refs/tags/${name} ${id}\n`).join(''))
    await write('create')
    const shown = namesOf(await page('tags', { sort: 'version', q: 'v' }))
    await write('delete')
    expect(shown).toEqual([
      ...['v2.1', 'v2.1rc1', 'v2.0.1', 'v2.0+build', 'v2.0', 'v2.0-rc.10', 'v2.0-rc.2', 'v2.0-beta'],
      ...['v1.10.0', 'v1.9.0', 'v0.9'],
    ])
  })

  it('sorted by name begins with the ref to list first, then continues in order of the names', async () => {
    expect(namesOf(await page('heads', { sort: 'name' }))).toEqual(['a', 'b', 'main', 'topic/NEW'])
    expect(namesOf(await page('heads', { sort: 'name', first: 'main' }))).toEqual([
      'main',
      'a',
      'b',
      'topic/NEW',
    ])
    expect(namesOf(await page('tags', { sort: 'name', limit: 2 }))).toEqual(['a-file', 'late'])
  })

  it('contains only refs whose names contain the search text, in any case', async () => {
    expect(await page('heads', { q: 'new' })).toMatchObject({ items: [{ name: 'topic/NEW' }], total: 1 })
    expect(namesOf(await page('tags', { q: 'V1.' }))).toEqual(['v1.10.0', 'v1.9.0'])
    expect(await page('heads', { q: 'new', first: 'main' })).toMatchObject({ total: 1 })
    expect(await page('heads', { q: '*' })).toEqual({ items: [], total: 0 })
  })

  it('of more than 20,000 refs is ordered by name, after the ref to list first', async () => {
    const count = 20_001
    expect(namesOf(await page('heads', { count, first: 'main' }))).toEqual(['main', 'a', 'b', 'topic/NEW'])
    expect(namesOf(await page('tags', { count }))).toEqual(['a-file', 'late', 'v0.9', 'v1.10.0', 'v1.9.0'])
  })
})
