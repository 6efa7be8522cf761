import { expect } from 'vitest'
import type { Answer } from './call'
import type { Site } from './site'

/** Whatever was sent, the fault is never ours, and an error has the one shape errors have. */
export function expectWellFormed(site: Site, answer: Answer, sent: string): void {
  expect(answer.status, sent).toBeLessThan(500)
  expect(answer.headers.get('x-injected'), sent).toBeNull()
  if (answer.status < 400) return
  expect(answer.headers.get('content-type'), sent).toBe('application/json;charset=utf-8')
  // What is wrong with a value, where the message is one that clients know.
  const { errors = [], ...error } = answer.body
  expect(error, sent).toEqual({ message: expect.stringMatching(/\S/), url: `${site.url}/api/docs` })
  for (const more of errors) expect(more, sent).toMatch(/^\w+: \S/)
}
