import { expect, it } from 'vitest'
import { tooMuch } from '@/server/actions/workflow/thread/pauses'
import { createLog } from '@/server/kernel/log'
import { forgetSingleton, singleton } from '@/server/kernel/singleton'
import { checkWorkflow, summaryBy, type WorkflowFile } from './files'

const file = (sha: string, document: string) => ({ path: `.gitea/workflows/${sha}.yml`, sha, document })

const isValid = async (file: WorkflowFile) => (await checkWorkflow(asking, file)).isValid
const asking = { caller: { kind: 'anonymous' }, remoteAddress: '', log: createLog('silent') } as const

it('summaryBy reads each content only once', async () => {
  expect(await summaryBy(asking, file('n1', 'name: One\non: push\n'))).toEqual({
    name: 'One',
    events: ['push'],
  })
  expect(await summaryBy(asking, file('n1', 'name: [not, read, again'))).toEqual({
    name: 'One',
    events: ['push'],
  })
  expect((await summaryBy(asking, file('n2', 'on: push\n'))).name).toBe('.gitea/workflows/n2.yml')
  expect(await summaryBy(asking, { path: 'long.yml', sha: 'n3' })).toEqual({ name: 'long.yml', events: null })
  expect((await summaryBy(asking, file('n3', 'name: Three\non: push\n'))).name).toBe('Three')
})

it('summaryBy returns the events of an invalid workflow', async () => {
  const bad = file('v1', 'on: push\njobs: { build: { steps: [{ run: make }] } }\n')
  expect((await summaryBy(asking, bad)).events).toEqual(['push'])
  expect(await isValid(bad)).toBe(false)
  const good = 'on: push\njobs: { build: { runs-on: linux, steps: [{ run: make }] } }\n'
  expect(await isValid(file('v2', good))).toBe(true)
  expect(await isValid(file('v1', good))).toBe(false)
  expect(await isValid({ path: 'long.yml', sha: 'v3' })).toBe(false)
})

it('summaryBy remembers nothing about a workflow that takes too much to read', async () => {
  const one = file('t1', 'name: One\non: push\njobs: { build: { runs-on: linux, steps: [{ run: make }] } }\n')
  forgetSingleton('workflow-reader')
  singleton('workflow-reader', () => () => Promise.reject(tooMuch('time')))
  expect(await summaryBy(asking, one)).toEqual({ name: one.path, events: null })
  expect(await isValid(one)).toBe(false)
  forgetSingleton('workflow-reader')
  expect(await summaryBy(asking, one)).toEqual({ name: 'One', events: ['push'] })
  expect(await isValid(one)).toBe(true)
})
