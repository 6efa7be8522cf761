import { describe, expect, it } from 'vitest'
import type { RequestedPermissions } from '@/server/kernel/job-permissions'
import { narrowPermissions } from './permissions'
import { readWorkflow } from './read'

const everywhere = (access: string) => ({
  contents: access,
  actions: access,
  statuses: access,
  packages: access,
})

/** Returns what a workflow requests for its one job, from the lines of the workflow and of the job. */
async function requested(ofWorkflow: string, ofJob = '') {
  const job = `runs-on: x\n    steps: [{ run: make }]\n    ${ofJob}`
  const { jobs } = await readWorkflow(`on: push\n${ofWorkflow}\njobs:\n  build:\n    ${job}\n`)
  return jobs[0]?.permissions
}

describe('the permissions of a job', () => {
  it.each([
    ['', '', null],
    ['permissions: {}', '', { scopes: {} }],
    ['permissions: read-all', '', { scopes: everywhere('read') }],
    ['permissions: write-all', '', { scopes: { ...everywhere('write'), 'id-token': 'write' } }],
    ['permissions: { contents: write, issues: none }', '', { scopes: { contents: 'write', issues: 'none' } }],
    ['permissions: write-all', 'permissions: { actions: read }', { scopes: { actions: 'read' } }],
    ['permissions: write-all', 'permissions: {}', { scopes: {} }],
    ['', 'permissions: { id-token: write }', { scopes: { 'id-token': 'write' } }],
  ])('are, for %j in the workflow and %j in the job, %j', async (ofWorkflow, ofJob, expected) => {
    expect(await requested(ofWorkflow, ofJob)).toEqual(expected)
  })

  it.each([
    '{ content: write }',
    '{ contents: admin }',
    'all',
    '[contents]',
    '{ id-token: read }',
    '{ models: write }',
  ])('are refused as %s, with line and column', async text => {
    await expect(requested(`permissions: ${text}`)).rejects.toThrow(/^line 2, column \d+: /)
  })
})

describe('narrowPermissions', () => {
  const contents = (access: 'read' | 'write'): RequestedPermissions => ({ scopes: { contents: access } })

  it.each<[string, ...(RequestedPermissions | null)[]]>([
    [
      'keeps the request of the caller if the called workflow has none',
      contents('write'),
      null,
      contents('write'),
    ],
    ['takes the lower access', contents('read'), contents('write'), contents('read')],
    ['never raises what the called workflow requests', contents('write'), contents('read'), contents('read')],
    [
      'gives nothing that the caller does not list',
      { scopes: {} },
      contents('read'),
      { scopes: { contents: 'none' } },
    ],
    [
      'stays within the default if the caller requests nothing',
      null,
      contents('write'),
      { ...contents('write'), withinDefault: true },
    ],
    [
      'stays within the default further down',
      { ...contents('write'), withinDefault: true },
      contents('read'),
      { ...contents('read'), withinDefault: true },
    ],
    ['requests nothing if neither does', null, null, null],
  ])('%s', (_, caller = null, called = null, expected) => {
    expect(narrowPermissions(caller, called)).toEqual(expected)
  })
})
