import { expect, it } from 'vitest'
import { createSlots } from './slots'

/** Work that goes on until it is ended. */
function work() {
  let end = (): void => undefined
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const state = { begun: false, end }
  const run = () => {
    state.begun = true
    return ended
  }
  return { state, run }
}

const settle = () => new Promise(resolve => setImmediate(resolve))

it('createSlots limits a task with many requests to its share, and another task starts immediately', async () => {
  const slots = createSlots({ total: 3, perTask: 2, spare: 0 })
  const many = Array.from({ length: 225 }, work)
  const done = many.map(({ run }) => slots(1, run))
  const other = work()
  const otherDone = slots(2, other.run)
  await settle()
  expect(many.filter(({ state }) => state.begun)).toHaveLength(2)
  expect(other.state.begun).toBe(true)
  other.state.end()
  await otherDone
  for (const { state } of many) {
    await settle()
    expect(state.begun).toBe(true)
    state.end()
  }
  await Promise.all(done)
})

it('createSlots lets tasks take turns when all slots are in use, and frees the slot of failed work', async () => {
  const slots = createSlots({ total: 1, perTask: 1, spare: 0 })
  const order: string[] = []
  const begin = (task: number, name: string) =>
    slots(task, async () => {
      order.push(name)
      await settle()
      throw new Error(name)
    }).catch(() => undefined)
  await Promise.all([begin(1, '1a'), begin(1, '1b'), begin(1, '1c'), begin(2, '2a'), begin(3, '3a')])
  expect(order).toEqual(['1a', '1b', '2a', '3a', '1c'])
})

it('createSlots lets a task in when others hold all slots, but makes its second request wait', async () => {
  const slots = createSlots({ total: 2, perTask: 2, spare: 1 })
  const slow = [work(), work()]
  const others = [work(), work(), work()]
  const done = [
    ...slow.map(({ run }) => slots(1, run)),
    ...others.map(({ run }, at) => slots(at < 2 ? 2 : 3, run)),
  ]
  await settle()
  expect(others.map(({ state }) => state.begun)).toEqual([true, false, false])
  for (const { state } of [...slow, ...others]) {
    state.end()
    await settle()
  }
  await Promise.all(done)
})
