import { describe, expect, it } from 'vitest'
import { anonymous } from '@/server/kernel/caller'
import { repositoryPath } from '@/server/repos/storage'
import { useBareRepository } from '@/server/repos/storage/testing/bare-repository'
import { randomFrom } from '@/testing/random'
import { countDivergence, walkHistory } from './count'

const bare = useBareRepository({ isEmpty: true })
const directory = () => repositoryPath(bare.ctx.config, bare.key)

let made = 0

/** Makes commits with these parents, as positions of earlier ones, and returns their IDs. */
async function makeHistory(parents: readonly (readonly number[])[]): Promise<string[]> {
  const run = ++made
  const input = parents.map(
    ([first, ...others], index) =>
      `commit refs/heads/h${run}-${index}\nmark :${index + 1}\ncommitter Jo <jo@x> ${1_700_000_000 + index} +0000\n` +
      `data <<.\n${run} ${index}\n.\n${first === undefined ? '' : `from :${first + 1}\n`}` +
      others.map(each => `merge :${each + 1}\n`).join(''),
  )
  await bare.inside(['fast-import', '--quiet'], input.join('\n'))
  const list = await bare.inside([
    'for-each-ref',
    '--format=%(refname:lstrip=2) %(objectname)',
    `refs/heads/h${run}-*`,
  ])
  const ids = new Map(
    list
      .trim()
      .split('\n')
      .map(line => line.split(' ') as [string, string]),
  )
  return parents.map((_, index) => ids.get(`h${run}-${index}`) ?? '')
}

/** What Git itself counts, one tip after the other. */
const counted = (base: string, tips: readonly string[]) =>
  Promise.all(
    tips.map(async tip => {
      const text = await bare.inside(['rev-list', '--left-right', '--count', `${tip}...${base}`])
      const [ahead, behind] = text.trim().split('\t').map(Number)
      return { ahead, behind }
    }),
  )

/** A line of commits that continues another. */
const line = (from: number, length: number, first: readonly number[] = []): number[][] =>
  Array.from({ length }, (_, index) => (index === 0 ? [...first] : [from + index - 1]))

describe('The commits by which branches are ahead and behind', () => {
  it('are those that Git counts for each branch, in random histories with merges and several roots', async () => {
    const random = randomFrom(7)
    const below = (limit: number): number => Math.floor(random() * limit)
    for (let round = 0; round < 5; round++) {
      const ids = await makeHistory(
        Array.from({ length: 120 }, (_, index) => {
          const count = index === 0 || random() < 0.03 ? 0 : random() < 0.25 ? 2 : 1
          return [...new Set(Array.from({ length: count }, () => Math.max(0, index - 1 - below(15))))]
        }),
      )
      const tips = Array.from({ length: 70 }, () => ids[below(ids.length)] ?? '')
      const base = ids[100] ?? ''
      expect(await walkHistory(directory(), base, tips)).toEqual(await counted(base, tips))
    }
  })

  it('are all commits of both sides for unrelated histories', async () => {
    const ids = await makeHistory([...line(0, 4), ...line(4, 3)])
    expect(await walkHistory(directory(), ids[3] ?? '', [ids[6] ?? ''])).toEqual([{ ahead: 3, behind: 4 }])
  })

  it('are counted up to one more than the limit', async () => {
    const ids = await makeHistory([...line(0, 1500), ...line(1500, 2, [10]), ...line(1502, 1, [])])
    const tips = [ids[1501], ids[1502], ids[0]].map(id => id ?? '')
    expect(await walkHistory(directory(), ids[1499] ?? '', tips)).toEqual([
      { ahead: 2, behind: 1001 },
      { ahead: 1, behind: 1001 },
      { ahead: 0, behind: 1001 },
    ])
  })

  it('are left out if Git cannot read the history', async () => {
    const ids = await makeHistory(line(0, 30))
    const client = { caller: anonymous, remoteAddress: '192.0.2.1' }
    const asked = { repository: directory(), base: ids[29] ?? '', tips: [ids[0] ?? '', ids[29] ?? ''] }
    const { counts, isFinal } = await countDivergence(client, asked, 20_000)
    expect([isFinal, [...counts.values()]]).toEqual([
      true,
      [
        { ahead: 0, behind: 29 },
        { ahead: 0, behind: 0 },
      ],
    ])
    const damaged = { ...asked, tips: ['1'.repeat(40)] }
    expect(await countDivergence(client, damaged, 20_000)).toEqual({ counts: new Map(), isFinal: false })
  })
})
