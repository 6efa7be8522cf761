import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, it } from 'vitest'
import { UpdateLogRequestSchema, UpdateTaskRequestSchema } from '@/proto/gen/runner/v1/runner_pb'
import { limitFields } from './field-limit'

const log = (count: number) =>
  create(UpdateLogRequestSchema, {
    taskId: 300n,
    index: 70_000n,
    rows: Array.from({ length: count }, (_, at) => ({ time: timestampFromMs(at), content: `row ${at}` })),
    noMore: true,
  })

it('limitFields returns a message within the limit unchanged', () => {
  const bytes = toBinary(UpdateLogRequestSchema, log(97))
  expect(limitFields(bytes, { max: 100, cuts: true })).toBe(bytes)
})

it('limitFields drops log rows beyond the limit, and the field that says that no more rows follow', () => {
  const bytes = limitFields(toBinary(UpdateLogRequestSchema, log(1000)), { max: 102, cuts: true })
  expect(fromBinary(UpdateLogRequestSchema, bytes)).toEqual({ ...log(100), noMore: false })
})

it('limitFields refuses a message with too many fields, including those of nested messages, if none can be dropped', () => {
  const outputs = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`name ${at}`, 'x']))
  const steps = Array.from({ length: 101 }, () => ({}))
  for (const message of [{ outputs }, { state: { steps } }]) {
    const bytes = toBinary(UpdateTaskRequestSchema, create(UpdateTaskRequestSchema, message))
    expect(() => limitFields(bytes, { max: 100, nested: [1] })).toThrow(/at most 100 fields/)
  }
})

it('limitFields leaves an invalid message to the decoder', () => {
  const broken = [[255], [8], [10, 200], [11], [14], Array(11).fill(255), [9, 1]]
  for (const bytes of broken.map(each => new Uint8Array(each)))
    expect(limitFields(bytes, { max: 0, cuts: true })).toBe(bytes)
})
