import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { createLoginLimiter, type LoginLimiter } from './login-limiter'

let open: OpenDatabase
let limiter: LoginLimiter
beforeAll(async () => {
  open = await openTestDatabase()
  limiter = createLoginLimiter(open.pool, {
    accountAtAddress: 3,
    address: 5,
    account: 20,
    registrations: 2,
    addressChecks: 2,
    redeliveries: 5,
  })
})
afterAll(() => open.close())

const fail = (subject: string, address: string) =>
  limiter.guard({ login: subject, subject, address }, async () => undefined)
const succeed = (subject: string, address: string) =>
  limiter.guard({ login: subject, subject, address }, async () => 'right')
const refusal = {
  kind: 'tooManyRequests',
  message: expect.stringMatching(/^too many failed sign-in attempts; try again in /),
}

async function failTimes(times: number, subject: string, address: (count: number) => string): Promise<void> {
  for (let count = 0; count < times; count++) await fail(subject, address(count))
}

it('the login limiter blocks an account at the address with too many failed sign-ins, and not at other addresses', async () => {
  await failTimes(3, 'ada', () => '192.0.2.1')
  await expect(succeed('ada', '192.0.2.1')).rejects.toMatchObject(refusal)
  expect(await succeed('ada', '192.0.2.2')).toBe('right')
  expect(await succeed('bob', '192.0.2.1')).toBe('right')
})

it('the login limiter blocks an address after too many failed sign-ins with many accounts', async () => {
  for (let count = 0; count < 5; count++) await fail(`somebody ${count}`, '192.0.2.3')
  await expect(succeed('carol', '192.0.2.3')).rejects.toMatchObject(refusal)
})

it('the login limiter allows all networks of an IPv6 /48 together five times the failures of one /64', async () => {
  await failTimes(15, 'dora', count => `2001:db8:7:${count}::1`)
  await expect(succeed('dora', '2001:db8:7:99::1')).rejects.toMatchObject(refusal)
  expect(await succeed('erin', '2001:db8:7:99::1')).toBe('right')
  for (let count = 0; count < 10; count++) await fail(`anybody ${count}`, `2001:db8:7:${count + 50}::1`)
  await expect(succeed('erin', '2001:db8:7:98::1')).rejects.toMatchObject(refusal)
  expect(await succeed('erin', '2001:db8:8::1')).toBe('right')
})

it('the login limiter blocks an account guessed from many addresses for a day, except at addresses it has signed in from', async () => {
  expect(await succeed('frida', '198.51.100.1')).toBe('right')
  await failTimes(20, 'frida', count => `203.0.113.${count}`)
  await expect(succeed('frida', '203.0.113.99')).rejects.toMatchObject({
    ...refusal,
    message: 'too many failed sign-in attempts; try again in 24 hours',
  })
  expect(await succeed('frida', '198.51.100.1')).toBe('right')
  await failTimes(3, 'frida', () => '198.51.100.1')
  await expect(succeed('frida', '198.51.100.1')).rejects.toMatchObject(refusal)
})

it('the login limiter queues no blocked attempts, and removes attempts of disconnected clients from the queue', async () => {
  await failTimes(3, 'greta', () => '192.0.2.9')
  const ends: (() => void)[] = []
  const hold = (subject: string, address: string) =>
    limiter.guard(
      { login: subject, subject, address },
      () => new Promise<void>(resolve => ends.push(resolve)),
    )
  const holding = [hold('held', '192.0.2.20'), hold('held', '192.0.2.21')]
  await expect.poll(() => ends).toHaveLength(2)
  await expect(succeed('greta', '192.0.2.9')).rejects.toMatchObject(refusal)
  const leaving = new AbortController()
  const attempt = {
    login: 'leaving',
    subject: 'leaving',
    address: '192.0.2.22',
    disconnected: () => leaving.signal,
  }
  const left = expect(limiter.guard(attempt, async () => 'right')).rejects.toThrow('too busy')
  leaving.abort()
  await left
  for (const end of ends) end()
  await Promise.all(holding)
})

it('the login limiter counts registrations by address, separately from failed sign-ins', async () => {
  for (let count = 0; count < 2; count++) await limiter.countRegistration('192.0.2.30')
  await expect(limiter.countRegistration('192.0.2.30')).rejects.toThrow(
    /^too many new accounts; try again in \d+ minutes/,
  )
  await limiter.countRegistration('192.0.2.31')
  const attempts = Array.from({ length: 20 }, () => limiter.countRegistration('192.0.2.32'))
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await succeed('heidi', '192.0.2.30')).toBe('right')
})

it('the login limiter counts checks of webhook URLs by account', async () => {
  for (let count = 0; count < 2; count++) await limiter.countAddressCheck(7)
  await expect(limiter.countAddressCheck(7)).rejects.toThrow(
    'too many checked addresses; try again in 1 minute',
  )
  await limiter.countAddressCheck(8)
})

it('the login limiter counts requested redeliveries by webhook', async () => {
  await limiter.countRedeliveries(7, 4)
  await expect(limiter.countRedeliveries(7, 2)).rejects.toThrow(
    'too many redeliveries; try again in 1 minute',
  )
  await limiter.countRedeliveries(8, 5)
})

it('the login limiter refuses a repeated attempt from memory, without a database query', async () => {
  await failTimes(3, 'ida', () => '192.0.2.40')
  const refuse = (login: string, address: string) => () => limiter.refuseBlocked(login, address)
  expect(refuse('ida', '192.0.2.40')).not.toThrow()
  await expect(succeed('ida', '192.0.2.40')).rejects.toMatchObject(refusal)
  expect(refuse('IDA', '192.0.2.40')).toThrow('too many failed sign-in attempts; try again in 10 minutes')
  expect(refuse('ida', '192.0.2.41')).not.toThrow()
  expect(refuse('judy', '192.0.2.40')).not.toThrow()
  for (let count = 0; count < 2; count++) await fail(`others ${count}`, '192.0.2.40')
  await expect(succeed('judy', '192.0.2.40')).rejects.toMatchObject(refusal)
  expect(refuse('karl', '192.0.2.40')).toThrow('too many failed sign-in attempts')
})
