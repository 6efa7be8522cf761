import { expect, it } from 'vitest'
import { type Asker, createPlaces } from './places'

const refusal = { status: 503, headers: { 'Retry-After': '5' } }

/** Places and what is done in them, to be ended by hand. */
function open(atOnce: number, waiting = 100) {
  const places = createPlaces({ atOnce, waiting })
  const ends: (() => void)[] = []
  const running: Promise<void>[] = []
  const ask = (asker: Asker): Promise<void> =>
    places(asker, () => new Promise<void>(resolve => ends.push(resolve)))
  const begin = (asker: Asker): void => {
    running.push(ask(asker))
  }
  const endAll = async () => {
    let ended = 0
    while (ended < ends.length) {
      ends[ended++]?.()
      await Promise.resolve()
      await new Promise(resolve => setImmediate(resolve))
    }
    await Promise.allSettled(running)
  }
  return { ask, begin, endAll, ends }
}

const person = (address: string): Asker => ({ address, isAnonymous: false })
const stranger = (address: string): Asker => ({ address, isAnonymous: true })

it('half of the places are the most one address gets, whoever asks from it', async () => {
  const { ask, begin, endAll, ends } = open(12)
  for (let count = 0; count < 6; count++) begin(person('192.0.2.1'))
  await expect(ask(person('192.0.2.1'))).rejects.toMatchObject(refusal)
  begin(person('192.0.2.2'))
  expect(ends).toHaveLength(7)
  await endAll()
  begin(person('192.0.2.1'))
  expect(ends).toHaveLength(8)
  await endAll()
})

it('the addresses of one IPv6 network count as one', async () => {
  const { ask, begin, endAll } = open(8)
  for (let count = 1; count <= 4; count++) begin(person(`2001:db8::${count}`))
  await expect(ask(person('2001:db8::99'))).rejects.toMatchObject(refusal)
  await endAll()
})

it('an address gets four even where that is more than half, waiting ones counted', async () => {
  const { ask, begin, endAll, ends } = open(1)
  for (let count = 0; count < 4; count++) begin(person('192.0.2.1'))
  await expect(ask(person('192.0.2.1'))).rejects.toMatchObject(refusal)
  await endAll()
  expect(ends).toHaveLength(4)
})

it('half of the places are the most that all get together who are not signed in', async () => {
  const { ask, begin, endAll, ends } = open(12)
  for (let count = 0; count < 6; count++) begin(stranger(`192.0.2.${count}`))
  await expect(ask(stranger('192.0.2.99'))).rejects.toMatchObject(refusal)
  begin(person('192.0.2.99'))
  expect(ends).toHaveLength(7)
  await endAll()
})

it('clients whose address nobody tells are not taken for one', async () => {
  const { begin, endAll, ends } = open(12)
  for (let count = 0; count < 12; count++) begin(person(''))
  expect(ends).toHaveLength(12)
  await endAll()
})

it('a full line refuses, and a failure of the work is handed on', async () => {
  const { ask, begin, endAll } = open(1, 0)
  begin(person(''))
  await expect(ask(person(''))).rejects.toMatchObject(refusal)
  await endAll()
  const places = createPlaces({ atOnce: 1, waiting: 0 })
  const fail = () => places(person(''), () => Promise.reject(new RangeError('meant to')))
  await expect(fail()).rejects.toThrow(RangeError)
  await expect(fail()).rejects.toThrow(RangeError)
})
