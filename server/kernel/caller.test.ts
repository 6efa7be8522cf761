import { expect, it } from 'vitest'
import { anonymous, type Caller, isAnonymous, signedInUser } from './caller'

it('the system and a workflow job are neither signed-in users nor anonymous', () => {
  const callers: Caller[] = [
    { kind: 'system', job: 'sweep' },
    { kind: 'job', repositoryId: 1, runId: 2, attempt: 1, jobId: 3, taskId: 1 },
  ]
  expect(callers.map(caller => [signedInUser(caller), isAnonymous(caller)])).toEqual([
    [undefined, false],
    [undefined, false],
  ])
  expect(isAnonymous(anonymous)).toBe(true)
})
