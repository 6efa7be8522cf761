import { expect, it } from 'vitest'
import { readPush } from './push-content'

const push = (parts: object): string =>
  JSON.stringify({ Len: 3, HeadCommit: { Sha1: 'a'.repeat(40), Message: 'Fix it' }, ...parts })

it('readPush returns the newest commit of a push and the number of commits', () => {
  expect(readPush(push({}))).toEqual({ commits: 3, sha: 'a'.repeat(40), before: '', message: 'Fix it' })
})

it('readPush returns the commit before the push only if it is a whole ID', () => {
  const [before, after] = ['b'.repeat(40), 'a'.repeat(40)]
  const beforeOf = (CompareURL: unknown) => readPush(push({ CompareURL }))?.before
  expect(beforeOf(`acme/site/compare/${before}...${after}`)).toBe(before)
  expect(['', 7, `acme/site/compare/main...${after}`, `${before}...${after}`].map(beforeOf)).toEqual(
    Array(4).fill(''),
  )
})

it('readPush returns only the first line of a commit message', () => {
  const content = push({ HeadCommit: { Sha1: 'b', Message: 'Fix it \n\nBecause it was broken.' } })
  expect(readPush(content)?.message).toBe('Fix it')
})

it.each(['', 'v1.0', '[]', 'null', '7', '{"Len":3}', '{"HeadCommit":null}', '{'])(
  'readPush returns undefined for the content %j',
  content => {
    expect(readPush(content)).toBeUndefined()
  },
)

it.each([-1, 1.5, 'many', null, {}])('readPush returns 0 commits for a count of %j', Len => {
  expect(readPush(push({ Len }))?.commits).toBe(0)
})

it('readPush returns an empty SHA and an empty message if these are not strings', () => {
  expect(readPush(push({ HeadCommit: { Sha1: 7, Message: [] } }))).toEqual({
    commits: 3,
    sha: '',
    before: '',
    message: '',
  })
})
