import { describe, expect, it } from 'vitest'
import { nameInUse } from '@/server/repos/name-errors'
import { errorTable, isDomainError } from './errors'
import { requireUnchanged } from './form-edit'

function codesOf(refuse: () => void) {
  try {
    refuse()
  } catch (error) {
    if (isDomainError(error)) return errorTable[error.kind]
  }
  throw new Error('nothing was refused')
}

describe('the client of a remote procedure', () => {
  it('is told that a name in use exists already', () => {
    const refuse = () => {
      throw nameInUse('tools', { by: 'create' })
    }
    expect(codesOf(refuse)).toEqual({
      status: 409,
      trpc: 'CONFLICT',
      twirp: 'already_exists',
      connect: 'already_exists',
    })
  })

  it('is told that a change was aborted, and may be retried, where somebody else made another in the meantime', () => {
    const refuse = () =>
      requireUnchanged({ title: 'theirs' }, { changes: { title: 'mine' }, expected: { title: 'former' } })
    expect(codesOf(refuse)).toEqual({ status: 409, trpc: 'CONFLICT', twirp: 'aborted', connect: 'aborted' })
  })
})
