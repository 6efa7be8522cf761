import { expect, it } from 'vitest'
import { jobCaller } from '@/testing/job-caller'
import { anonymous, type Caller, isAnonymous, signedInUser } from './caller'

it('the system and a workflow job are neither signed-in users nor anonymous', () => {
  const callers: Caller[] = [{ kind: 'system', job: 'sweep' }, jobCaller()]
  expect(callers.map(caller => [signedInUser(caller), isAnonymous(caller)])).toEqual([
    [undefined, false],
    [undefined, false],
  ])
  expect(isAnonymous(anonymous)).toBe(true)
})
