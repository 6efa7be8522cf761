import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileScript, type Script } from '@/db/testing/child-process'

const source = `
  import { setTimeout as delay } from 'node:timers/promises'
  import { createLog, createRequestLog } from './server/kernel/log'
  const log = createLog('info')
  const logRequest = createRequestLog(log)
  const request = requestId => logRequest({ requestId, method: 'GET', path: '/', status: 200, ms: 1, mount: 'rest' })
  request('first')
  log.info({ requestId: 'between' }, 'something else')
  request('last')
  if (process.argv[2] === 'exit') process.exit(0)
  if (process.argv[2] === 'crash') throw new Error('unforeseen')
  if (process.argv[2] === 'kill later') await delay(100)
  process.kill(process.pid, 'SIGKILL')`

let script: Script
beforeAll(async () => {
  script = await compileScript(source)
})
afterAll(() => script?.remove())

it.each([
  ['exit', ['first', 'between', 'last']],
  ['crash', ['first', 'between', 'last']],
  ['kill later', ['first', 'between', 'last']],
  ['kill', ['first', 'between']],
])('lines of requests are written in order before a process ends with "%s"', async (end, expected) => {
  const child = script.start([end])
  const seen: string[] = []
  for (let line = await child.line(); line !== undefined; line = await child.line())
    seen.push(JSON.parse(line).requestId)
  expect(seen).toEqual(expected)
})
