import { expect, it } from 'vitest'
import type { ActingCtx } from '@/server/kernel/ctx'
import { textsOf } from './commit-text'
import type { CommitOptions } from './schema'

const ada = { name: 'Ada', email: 'ada@example.test' }
const line = 'Signed-off-by: Ada <ada@example.test>'
const ctx = {
  caller: { kind: 'user', user: { name: 'ada', full_name: 'Ada', email: ada.email } },
  config: { baseUrl: 'http://localhost' },
  clock: { now: () => new Date(0) },
} as unknown as ActingCtx

const messageOf = (message: string): string =>
  textsOf(ctx, { message, signoff: true, committer: ada } as CommitOptions, []).message

it.each([
  ['A change', `A change\n\n${line}\n`],
  ['fix: a change', `fix: a change\n\n${line}\n`],
  ['A change\n\nWhy: because\nof it', `A change\n\nWhy: because\nof it\n\n${line}\n`],
  [
    'A change\n\nFixes: one\n  and two\nAcked-by: Bo',
    `A change\n\nFixes: one\n  and two\nAcked-by: Bo\n${line}\n`,
  ],
  [`A change\n\n${line}`, `A change\n\n${line}\n`],
])('signs off %j', (message, expected) => {
  expect(messageOf(message)).toBe(expected)
})

it('signs off a message that looks like trailers in many ways, without delay', () => {
  const before = performance.now()
  expect(messageOf(`A change\n\n${'a: '.repeat(10_000)}\n!`)).toContain(line)
  expect(performance.now() - before).toBeLessThan(1000)
})
