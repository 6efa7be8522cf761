import { describe, expect, it } from 'vitest'
import { canStart } from './events'
import { asksFor } from './filter'
import { dispatchInputs } from './inputs'
import { readWorkflow } from './read'

const jobs = 'jobs: { a: { runs-on: x, steps: [{ run: make }] } }'
const eventsOf = async (on: string) => (await readWorkflow(`${on}\n${jobs}`)).events
const push = { name: 'push', activities: [], ref: 'refs/heads/main' } as const

describe('readWorkflow', () => {
  it.each([
    ['a cron word', "on: { push: , schedule: [{ cron: '@daily' }] }"],
    ['an invalid cron pattern', "on: { push: , schedule: [{ cron: 'x' }] }"],
    ['a schedule without cron', 'on: { push: , schedule: [{ crom: "0 0 * * *" }] }'],
    ['an unknown event', 'on: [push, pusj]'],
    ['an unknown event with filters', 'on: { push: , pusj: { branches: main } }'],
    ['an unknown key of another event', 'on: { push: , release: { type: published } }'],
    ['an input without options', 'on: { push: , workflow_dispatch: { inputs: { a: { type: choice } } } }'],
    [
      'a default of another type',
      "on: { push: , workflow_dispatch: { inputs: { a: { type: boolean, default: 'yes' } } } }",
    ],
  ])('lets pushes start a workflow with %s', async (_, on) => {
    expect(asksFor(await eventsOf(on), push)).toEqual([''])
  })

  it.each([
    [
      "on:\n  schedule:\n    - cron: '0 0 * *'",
      "line 3, column 7: '0 0 * *' is not a valid cron pattern. Use five fields (minute, hour, day, month, weekday) or @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly.",
    ],
    [
      "on:\n  schedule:\n    - cron: '0 0 31 2 *'",
      "line 3, column 7: No day matches the cron pattern '0 0 31 2 *'.",
    ],
    [
      "on:\n  schedule:\n    - { cron: '@daily', timezone: Europe/Atlantis }",
      "line 3, column 7: Unknown time zone 'Europe/Atlantis'. Use a name such as Europe/Berlin.",
    ],
    [
      "on:\n  schedule:\n    - { cron: 'TZ=Europe/Rome 0 0 * * *', timezone: Europe/Oslo }",
      'line 3, column 7: The schedule has two time zones: Europe/Rome and Europe/Oslo.',
    ],
    [
      'on: { workflow_call: { inputs: { a: { type: string, options: [b] } } } }',
      "line 1, column 53: Unexpected value 'options'; only inputs of workflow_dispatch and containers have it",
    ],
    ['on: [push, relase]', "line 1, column 12: Unexpected value 'relase'; did you mean 'release'?"],
    [
      'on:\n  workflow_dispatch:\n    inputs:\n      deep: { type: boolean, default: maybe }',
      "line 4, column 39: The default for the boolean input 'deep' must be true or false.",
    ],
    [
      'on:\n  workflow_dispatch:\n    inputs:\n      depth: { type: number, default: deep }',
      "line 4, column 39: The default for the number input 'depth' must be a number.",
    ],
    [
      'on:\n  workflow_dispatch:\n    inputs:\n      deep: { required: perhaps }',
      "line 4, column 25: `required` for the input 'deep' must be true or false.",
    ],
    ...(['branches', 'tags', 'paths'] as const).map(key => [
      `on:\n  create:\n  push:\n    ${key}: [a]\n    ${key}-ignore: [b]`,
      `line 5, column 5: on.push has both ${key} and ${key}-ignore. Use one.`,
    ]),
    [
      'on:\n  workflow_run:\n    branches-ignore: [b]\n    branches: [a]\n    workflows: [c]',
      'line 3, column 5: on.workflow_run has both branches and branches-ignore. Use one.',
    ],
  ])('reports the position of a mistake in an event and what would be right: %j', async (on, message) => {
    expect((await eventsOf(on)).mistakes.map(mistake => mistake.message)).toEqual([message])
  })

  it('reads the valid schedules of a workflow as they are written, and reports the others', async () => {
    const { schedules, mistakes } = await eventsOf(`on:
  schedule:
    - cron: '@Daily'
    - cron: 'x'
    - { cron: '30 5 * * 1-5', timezone: Europe/Berlin }
    - cron: CRON_TZ=America/New_York 0 9 * * *
    - { cron: '0 0 * * *', zone: UTC }`)
    expect(schedules).toEqual([
      { cron: '@Daily', timezone: 'UTC' },
      { cron: '30 5 * * 1-5', timezone: 'Europe/Berlin' },
      { cron: 'CRON_TZ=America/New_York 0 9 * * *', timezone: 'UTC' },
    ])
    expect(mistakes.map(({ message }) => message.slice(0, 6))).toEqual(['line 7', 'line 4'])
  })

  it('accepts defaults of inputs as any scalar, and required as text', async () => {
    const on = `on:
  workflow_dispatch:
    inputs:
      flag: { type: boolean, default: 'true', required: 'true' }
      count: { type: choice, options: [10, 20], default: 20 }
      ratio: { type: number, default: '2.50' }
      name: { default: 7 }`
    expect((await eventsOf(on)).mistakes).toEqual([])
    const inputs = dispatchInputs(`${on}\n${jobs}`)
    expect(inputs?.map(input => [input.name, input.default, input.required])).toEqual([
      ['flag', 'true', true],
      ['count', '20', false],
      ['ratio', '2.50', false],
      ['name', '7', false],
    ])
  })

  it('throws for a mistake in an event only when that event happens', async () => {
    const events = await eventsOf('on: { push: { branchs: main }, release: }')
    expect(asksFor(events, { ...push, name: 'release' })).toEqual([''])
    expect(() => asksFor(events, push)).toThrow("Unexpected value 'branchs'; did you mean 'branches'?")
  })

  it.each(['jobs: { a: { runs-on: x, stps: [] } }', 'foo: 1\njobs: {}'])(
    'refuses a workflow with a mistake outside of its events: %j',
    async rest => {
      await expect(readWorkflow(`on: { push: , schedule: [{ cron: x }] }\n${rest}`)).rejects.toThrow(
        /^line 2, column/,
      )
    },
  )

  it('refuses a workflow if a mistake in a job has its position in an event, because of an alias', async () => {
    const on = "on: { push: , schedule: &list [{ cron: '0 0 * * *' }] }"
    await expect(readWorkflow(`${on}\njobs: { a: { runs-on: x, steps: *list } }`)).rejects.toThrow(
      "Unexpected value 'cron'",
    )
  })

  it('refuses a workflow with a hundred mistakes', async () => {
    const events = Array.from({ length: 10_000 }, (_, at) => `event${at}`)
    await expect(eventsOf(`on: [push, ${events}]`)).rejects.toThrow("Unexpected value 'event0'")
  })

  it.each(['{ push: { branches: } }', '{ release: { types: } }'])(
    'reports a filter without values: %s',
    async on => {
      expect((await eventsOf(`on: ${on}`)).mistakes).toHaveLength(1)
    },
  )
})

it.each([
  ['on: pull_request', false],
  ["on: { schedule: [{ cron: 'x' }], issues: }", false],
  ['on: { pull_request: , workflow_call: }', true],
  ["on: { schedule: [{ cron: '@daily' }] }", true],
  ['on: workflow_dispatch', true],
])('whether anything can start a workflow with %j: %s', async (on, expected) => {
  expect(canStart(await eventsOf(on))).toBe(expected)
})
