import { expect, it } from 'vitest'
import { type StoredEvent, webhookConsumer } from '@/server/events'
import { summaryOf } from './summary'

it.each([
  [{ kind: 'run.created', facts: { number: 3 } }, 'Run #3 was requested'],
  [{ kind: 'run.retried', facts: { number: 3, attempt: 2 } }, 'Run #3, attempt 2, was requested again'],
  [{ kind: 'run.completed', facts: { number: 3, conclusion: 'failure' } }, 'Run #3 failed'],
  [{ kind: 'run.completed', facts: { number: 3, conclusion: 'cancelled' } }, 'Run #3 was canceled'],
  [{ kind: 'job.completed', facts: { name: 'build', conclusion: 'success' } }, 'The job build succeeded'],
  [{ kind: 'job.blocked', facts: { name: 'build' } }, 'The job build waits for other jobs'],
] as [StoredEvent, string][])('%j is told as “%s”', (event, text) => {
  expect(summaryOf(event)).toBe(text)
})

it.each(webhookConsumer.kinds)('%s, which webhooks can be told of, has words', kind => {
  expect(summaryOf({ kind, facts: {} } as StoredEvent)).not.toContain(kind)
})
