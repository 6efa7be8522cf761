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

describe('a client of a Twirp or Connect procedure', () => {
  it('receives the code "already exists" for a name in use', () => {
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

  it('receives the retryable code "aborted" for a change that conflicts with a concurrent one', () => {
    const refuse = () =>
      requireUnchanged({ title: 'theirs' }, { changes: { title: 'mine' }, expected: { title: 'former' } })
    expect(codesOf(refuse)).toEqual({ status: 409, trpc: 'CONFLICT', twirp: 'aborted', connect: 'aborted' })
  })
})
