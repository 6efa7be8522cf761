import { expect, it } from 'vitest'
import { shortened } from './shortened'

const commit = (message: string, added: string[] = [], modified: string[] = []) => ({
  id: '1',
  message,
  added,
  removed: [],
  modified,
})

it('a push payload keeps at most 3,000 paths with 128 Ki characters, and 16 Ki characters of each message', () => {
  const many = Array.from({ length: 2000 }, (_, at) => `src/${at}`)
  const body = shortened({
    ref: 'refs/heads/main',
    commits: [commit('One', many, many), commit('x'.repeat(20_000), ['late'])],
    head_commit: commit('Two', ['a'.repeat(100_000), 'b'.repeat(100_000)]),
  })
  expect(body.ref).toBe('refs/heads/main')
  expect(body.commits?.map(({ added, modified }) => [added.length, modified.length])).toEqual([
    [2000, 1000],
    [0, 0],
  ])
  expect(body.commits?.map(({ message }) => message.length)).toEqual([3, 16_384])
  expect(body.head_commit).toMatchObject({ id: '1', message: 'Two', added: ['a'.repeat(100_000)] })
})

it('a payload without commits is not changed', () => {
  expect(shortened({ head_commit: null, action: 'published' })).toEqual({
    head_commit: null,
    action: 'published',
  })
})
