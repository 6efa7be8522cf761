import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { nodeWarning, recommendedNode } from './node-support'

const now = new Date('2026-11-27T12:00:00Z')

it.each([
  ['20.20.2', 'Node.js 20.20.2 has had no security fixes since 2026-04-30; use Node.js 26'],
  ['25.1.0', 'Node.js 25.1.0 has had no security fixes; use Node.js 26'],
  ['18.0.0', 'Node.js 18.0.0 has had no security fixes; use Node.js 26'],
])('the server warns about Node.js %s, which has no security fixes', (version, warning) => {
  expect(nodeWarning(version, now)).toBe(warning)
})

it.each(['22.13.0', '24.0.0', '26.12.1', '27.0.0', '28.1.0'])('the server accepts Node.js %s', version => {
  expect(nodeWarning(version, now)).toBeUndefined()
})

it('a version has fixes until the end of its last day', () => {
  expect(nodeWarning('22.1.0', new Date('2027-04-30T23:59:59Z'))).toBeUndefined()
  expect(nodeWarning('22.1.0', new Date('2027-05-01T00:00:00Z'))).toContain('since 2027-04-30')
})

it('the container image has the recommended version of Node.js', async () => {
  expect(await readFile('Dockerfile', 'utf8')).toContain(`node:${recommendedNode}-slim`)
})
