import { expect, it } from 'vitest'
import { createThrottle } from './throttle'

function open() {
  let time = 0
  const throttle = createThrottle({ burst: 3, perMinute: 60 }, () => time)
  return {
    throttle,
    wait: (ms: number) => {
      time += ms
    },
    count: (address: string, most = 10) =>
      Array.from({ length: most }, () => throttle.begin(address)).filter(Boolean).length,
  }
}

it('the SSH connection throttle allows each network a burst of connections, and then as many as it regains over time', () => {
  const { count, wait } = open()
  expect(count('192.0.2.1')).toBe(3)
  expect(count('192.0.2.2')).toBe(3)
  expect(count('2001:db8:1:1::1') + count('2001:db8:1:2::1')).toBe(3)
  wait(2_000)
  expect(count('192.0.2.1')).toBe(2)
  wait(3_600_000)
  expect(count('192.0.2.1')).toBe(3)
})

it('the SSH connection throttle does not count connections with a successful sign-in', () => {
  const { throttle } = open()
  for (let each = 0; each < 100; each++) throttle.begin('192.0.2.1')?.()
  const signIns = [1, 2, 3].map(() => throttle.begin('192.0.2.1'))
  expect(signIns).not.toContain(undefined)
  expect(throttle.begin('192.0.2.1')).toBeUndefined()
})

it('the SSH connection throttle forgets the oldest counts if there are too many networks, to limit memory', () => {
  const { throttle, count } = open()
  expect(count('192.0.2.1')).toBe(3)
  for (let each = 0; each < 10_000; each++) throttle.begin(`10.0.${each >> 8}.${each & 255}`)
  expect(count('192.0.2.1')).toBe(3)
})
