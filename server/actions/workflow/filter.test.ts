import { describe, expect, it } from 'vitest'
import { asksFor } from './filter'
import { readWorkflow } from './read'

async function starts(
  on: string,
  name: 'push' | 'release' | 'create',
  ref: string,
  more: Partial<More> = {},
) {
  const { activities = [], changed } = more
  const jobs = 'jobs: { a: { runs-on: x, steps: [{ run: make }] } }'
  const { events } = await readWorkflow(`on: ${on}\n${jobs}`)
  const asked = asksFor(events, { name, ref, activities }, changed ?? null)
  return Array.isArray(asked) ? asked.length > 0 : asked
}

interface More {
  activities: string[]
  changed: string[]
}

const main = 'refs/heads/main'
const tag = 'refs/tags/v1'

describe('a workflow', () => {
  it.each([
    ['push', main, true],
    ['[create, push]', tag, true],
    ['create', main, false],
    ['{ push: }', main, true],
    ['{ push: { branches: main } }', main, true],
    ['{ push: { branches: [next, "m*"] } }', main, true],
    ['{ push: { branches: [next] } }', main, false],
    ['{ push: { branches: ["**", "!main"] } }', main, false],
    ['{ push: { branches-ignore: [next] } }', main, true],
    ['{ push: { branches-ignore: [main] } }', main, false],
    ['{ push: { branches: ["**"] } }', tag, false],
    ['{ push: { tags: ["v*"] } }', tag, true],
    ['{ push: { tags: ["v*"] } }', main, false],
    ['{ push: { tags-ignore: ["v*"] } }', tag, false],
    ['{ push: { branches: [next], tags: ["v*"] } }', tag, true],
  ])('with on: %s and a push of %s starts: %s', async (on, ref, expected) => {
    expect(await starts(on, 'push', ref)).toBe(expected)
  })

  it.each([
    ['{ push: { paths: ["docs/**"] } }', ['docs/a.md', 'src/b.ts'], true],
    ['{ push: { paths: ["docs/**", "!docs/*.md"] } }', ['docs/a.md', 'src/b.ts'], false],
    ['{ push: { paths-ignore: ["docs/**"] } }', ['docs/a.md', 'src/b.ts'], true],
    ['{ push: { paths-ignore: ["docs/**"] } }', ['docs/a.md'], false],
    ['{ push: { paths: ["docs/**"] } }', undefined, true],
    ['{ push: { branches: [next], paths: ["docs/**"] } }', ['docs/a.md'], false],
  ])('with on: %s and changes of %s starts: %s', async (on, changed, expected) => {
    expect(await starts(on, 'push', main, changed ? { changed } : {})).toBe(expected)
  })

  it('starts for tags regardless of its path filters', async () => {
    expect(await starts('{ push: { paths: ["docs/**"] } }', 'push', tag, { changed: [] })).toBe(true)
  })

  it('with patterns that take long to compare does not block the process', async () => {
    const patterns = Array.from({ length: 1000 }, (_, at) => `"${'*a'.repeat(200)}${at}"`).join(', ')
    const name = 'a'.repeat(4000)
    const begun = performance.now()
    const paths = Array.from({ length: 50 }, (_, at) => `${name}/${at}`)
    expect(await starts(`{ push: { paths: [${patterns}] } }`, 'push', main, { changed: paths })).toBe(true)
    const branches = starts(`{ push: { branches: [${patterns}] } }`, 'push', `refs/heads/${name}`)
    await expect(branches).rejects.toThrow('takes too long')
    expect(performance.now() - begun).toBeLessThan(10_000)
    const long = { changed: ['a'.repeat(5000)] }
    expect(await starts('{ push: { paths: [b] } }', 'push', main, long)).toBe(true)
  })

  it('starts for the release activities that it lists, or for all if it lists none', async () => {
    const activities = ['published', 'created']
    expect(await starts('{ release: { types: [created] } }', 'release', tag, { activities })).toBe(true)
    expect(await starts('{ release: { types: [deleted] } }', 'release', tag, { activities })).toBe(false)
    expect(await starts('release', 'release', tag, { activities })).toBe(true)
  })
})
