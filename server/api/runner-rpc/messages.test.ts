import { create } from '@bufbuild/protobuf'
import { expect, it } from 'vitest'
import { UpdateTaskRequestSchema } from '@/proto/gen/runner/v1/runner_pb'
import { reportOf, taskIdOf } from './messages'

it('taskIdOf maps an ID beyond the safe range to one that no task has', () => {
  expect([taskIdOf(7n), taskIdOf(2n ** 53n), taskIdOf(2n ** 63n - 1n)]).toEqual([7, 0, 0])
})

it('reportOf leaves out step times that cannot be represented on the wire', () => {
  const times = [1_790_000_000n, 253_402_300_799n, 253_402_300_800n, -1n].map(seconds => ({
    seconds,
    nanos: 0,
  }))
  const steps = times.map(startedAt => ({ startedAt }))
  const { steps: reported } = reportOf(create(UpdateTaskRequestSchema, { state: { steps } }))
  expect(reported.map(({ startedAt }) => startedAt?.toISOString())).toEqual([
    '2026-09-21T14:13:20.000Z',
    '9999-12-31T23:59:59.000Z',
    undefined,
    undefined,
  ])
})
