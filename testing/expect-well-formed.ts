import { expect } from 'vitest'
import type { Answer } from './call'
import type { Site } from './site'

/**
 * Expects that a response is not a server error, contains no injected header and, if it is an error, has the
 * standard format. `sent` describes the request in failures.
 */
export function expectWellFormed(site: Site, answer: Answer, sent: string): void {
  expect(answer.status, `${sent}: ${JSON.stringify(answer.body)}`).toBeLessThan(500)
  expect(answer.headers.get('x-injected'), sent).toBeNull()
  if (answer.status < 400) return
  expect(answer.headers.get('content-type'), sent).toBe('application/json;charset=utf-8')
  // Some errors list invalid values in `errors`, because their message is fixed for compatibility.
  const { errors = [], invalidTopics = [], ...error } = answer.body
  expect(error, sent).toEqual({ message: expect.stringMatching(/\S/), url: `${site.url}/api/docs` })
  for (const more of errors) expect(more, sent).toMatch(/^\w+: \S/)
  for (const topic of invalidTopics) expect(topic, sent).toEqual(expect.any(String))
}
