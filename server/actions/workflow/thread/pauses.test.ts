import { expect, it } from 'vitest'
import { createPauses } from './pauses'

function open() {
  const clock = { now: 1000 }
  const pauses = createPauses(3_000, () => clock.now)
  const refusalOf = (lane: string | undefined, document: string): unknown => {
    try {
      pauses.require(lane, document)
      return undefined
    } catch (error) {
      return error
    }
  }
  return { clock, pauses, refusalOf }
}

it('a lane pauses longer each time, up to a minute, without affecting other lanes', () => {
  const { clock, pauses, refusalOf } = open()
  for (const seconds of [3, 6, 12, 24, 48, 60, 60]) {
    pauses.note('one', `hostile ${seconds}`, 'time')
    expect(refusalOf('one', 'other')).toMatchObject({ kind: 'tooManyRequests', retryAfterSeconds: seconds })
    expect(refusalOf('two', 'other')).toBeUndefined()
    clock.now += seconds * 1000
    expect(refusalOf('one', 'other')).toBeUndefined()
  }
  clock.now += 600_000
  pauses.note('one', 'hostile', 'time')
  expect(refusalOf('one', 'other')).toMatchObject({ retryAfterSeconds: 3 })
})

it('a document that exceeded a limit is refused for ten minutes without being read again, but only in its own lane', () => {
  const { clock, pauses, refusalOf } = open()
  pauses.note('one', 'hostile', 'memory')
  const refusal = { kind: 'unprocessable', message: 'Reading the workflow took too much memory.' }
  expect(refusalOf('one', 'hostile')).toMatchObject(refusal)
  expect(refusalOf('two', 'hostile')).toBeUndefined()
  clock.now += 599_000
  expect(refusalOf('one', 'hostile')).toMatchObject(refusal)
  clock.now += 1_000
  expect(refusalOf('one', 'hostile')).toBeUndefined()
})

it('only a limited number of lanes and documents is remembered', () => {
  const { pauses, refusalOf } = open()
  for (let at = 0; at <= 1000; at++) pauses.note(`lane ${at}`, 'hostile', 'time')
  expect(refusalOf('lane 0', 'hostile')).toBeUndefined()
  expect(refusalOf('lane 1', 'hostile')).toMatchObject({ kind: 'unprocessable' })
})

it('callers who only view a workflow share what is remembered about documents, and never pause', () => {
  const { pauses, refusalOf } = open()
  pauses.note(undefined, 'hostile', 'time')
  expect(refusalOf(undefined, 'hostile')).toMatchObject({
    reason: { code: 'workflowTooMuch', limit: 'time' },
  })
  expect(refusalOf(undefined, 'other')).toBeUndefined()
  expect(refusalOf('one', 'hostile')).toBeUndefined()
})

it('a document whose reader did not get the CPU is not remembered, but its lane pauses', () => {
  const { clock, pauses, refusalOf } = open()
  pauses.note('one', 'plain', 'processor')
  expect(refusalOf('one', 'plain')).toMatchObject({ kind: 'tooManyRequests' })
  clock.now += 3_000
  expect(refusalOf('one', 'plain')).toBeUndefined()
})
