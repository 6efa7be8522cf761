import { expect, it } from 'vitest'
import { readPush } from './push-content'

const push = (parts: object): string =>
  JSON.stringify({ Len: 3, HeadCommit: { Sha1: 'a'.repeat(40), Message: 'Fix it' }, ...parts })

it('a push tells its newest commit and how many there are', () => {
  expect(readPush(push({}))).toEqual({ commits: 3, sha: 'a'.repeat(40), message: 'Fix it' })
})

it('only the first line of a message is told', () => {
  const content = push({ HeadCommit: { Sha1: 'b', Message: 'Fix it \n\nBecause it was broken.' } })
  expect(readPush(content)?.message).toBe('Fix it')
})

it.each(['', 'v1.0', '[]', 'null', '7', '{"Len":3}', '{"HeadCommit":null}', '{'])(
  '%j is not a push',
  content => {
    expect(readPush(content)).toBeUndefined()
  },
)

it.each([-1, 1.5, 'many', null, {}])('a count of %j is none', Len => {
  expect(readPush(push({ Len }))?.commits).toBe(0)
})

it('parts of the wrong kind are left out', () => {
  expect(readPush(push({ HeadCommit: { Sha1: 7, Message: [] } }))).toEqual({
    commits: 3,
    sha: '',
    message: '',
  })
})
