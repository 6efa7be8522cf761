import { beforeAll, describe, expect, it } from 'vitest'
import { findRef, listRefNames, listRefs } from './'
import { firstAuthor, useBareRepository } from './testing/bare-repository'

const { ctx, key, inside } = useBareRepository()
const many = Array.from({ length: 2000 }, (_, index) => `n/${String(index).padStart(4, '0')}`)

beforeAll(async () => {
  const tip = await inside(['rev-parse', 'main'])
  await inside(['update-ref', '--stdin'], many.map(name => `create refs/heads/${name} ${tip}\n`).join(''))
})

describe('for branches,', () => {
  it('listRefs returns a page of branches of the same age ordered by name, with their total number', async () => {
    const page = await listRefs(ctx, key, 'heads', { offset: 10, limit: 3 })
    expect(page.total).toBe(many.length + 1)
    expect(page.items.map(item => item.name)).toEqual(['n/0009', 'n/0010', 'n/0011'])
    const beyond = await listRefs(ctx, key, 'heads', { offset: 5000, limit: 3 })
    expect(beyond).toEqual({ items: [], total: many.length + 1 })
  })

  it('listRefs returns each branch once across consecutive pages', async () => {
    const names: string[] = []
    for (let offset = 0; offset < many.length + 1; offset += 500) {
      const { items } = await listRefs(ctx, key, 'heads', { offset, limit: 500 })
      names.push(...items.map(item => item.name))
    }
    expect(names).toEqual(['main', ...many])
  })

  it('listRefNames returns only names, the requested one first, with their total number', async () => {
    const wanted = { offset: 0, limit: 3, first: 'n/1999' }
    expect(await listRefNames(ctx, key, 'heads', wanted)).toEqual({
      names: ['n/1999', 'main', 'n/0000'],
      total: many.length + 1,
    })
  })

  it('findRef returns the commit with its author, committer and message', async () => {
    const sha = await inside(['rev-parse', 'main'])
    expect(await findRef(ctx, key, 'heads', 'n/0003')).toEqual({
      name: 'n/0003',
      isText: true,
      commit: {
        sha,
        tree: await inside(['rev-parse', 'main^{tree}']),
        parents: [],
        message: 'First\n\nWith a body\n',
        author: firstAuthor,
        committer: firstAuthor,
      },
    })
  })

  it.each([
    'absent',
    'n',
    'n/',
    'main~0',
    'main^{}',
    'main:README.md',
    'refs/heads/main',
    '--all',
    'n/*',
    'x\0y',
  ])('findRef returns undefined for %j, which is not the exact name of a branch', async name =>
    expect(await findRef(ctx, key, 'heads', name)).toBeUndefined(),
  )
})

it('findRef does not take a directory of 400 long branch names for a branch, and finds a branch inside it', async () => {
  const tip = await inside(['rev-parse', 'main'])
  const deep = `${'d'.repeat(200)}/`.repeat(15)
  const names = Array.from({ length: 400 }, (_, index) => `wide/${deep}${index}`)
  const all = (verb: string) => names.map(name => `${verb} refs/heads/${name} ${tip}\n`).join('')
  await inside(['update-ref', '--stdin'], all('create'))
  expect(await findRef(ctx, key, 'heads', 'wide')).toBeUndefined()
  expect((await findRef(ctx, key, 'heads', `wide/${deep}7`))?.commit.sha).toBe(tip)
  await inside(['update-ref', '--stdin'], all('delete'))
})

describe('for tags,', () => {
  it('listRefs returns both the annotation and the commit of an annotated tag, even if it points to another tag', async () => {
    const sha = await inside(['rev-parse', 'main'])
    await inside(['tag', 'light', 'main'])
    await inside(['tag', '-a', '-m', 'One', 'v1', 'main'])
    await inside(['tag', '-a', '-m', 'Of a tag', 'v2', 'v1'])
    const { items, total } = await listRefs(ctx, key, 'tags', { offset: 0, limit: 50 })
    expect(total).toBe(3)
    const described = items.map(({ name, commit, tag }) => [name, commit.sha, tag?.message])
    expect(described.sort()).toEqual([
      ['light', sha, undefined],
      ['v1', sha, 'One\n'],
      ['v2', sha, 'Of a tag\n'],
    ])
    expect(items.find(item => item.name === 'v1')?.tag?.sha).toBe(await inside(['rev-parse', 'v1']))
  })

  it('findRef returns a tag that points to a blob with an empty author and message', async () => {
    const blob = await inside(['rev-parse', 'main:README.md'])
    await inside(['tag', 'a-file', blob])
    expect(await findRef(ctx, key, 'tags', 'a-file')).toMatchObject({
      name: 'a-file',
      commit: { sha: blob, message: '', author: { name: '' } },
    })
  })

  it('findRef finds no branch with the name of a tag and no tag with the name of a branch', async () => {
    expect(await findRef(ctx, key, 'tags', 'main')).toBeUndefined()
    expect(await findRef(ctx, key, 'heads', 'v1')).toBeUndefined()
  })

  it('findRef cuts a tag message that is longer than 64 KiB', async () => {
    const message = 'long '.repeat(100_000)
    await inside(['tag', '-a', '-F', '-', 'wordy', 'main'], message)
    const found = await findRef(ctx, key, 'tags', 'wordy')
    expect(found?.tag?.message.length).toBeLessThanOrEqual(64 * 1024)
    expect(found?.tag?.message.startsWith('long long')).toBe(true)
    expect(found?.commit.sha).toBe(await inside(['rev-parse', 'main']))
  })
})
