import { expect, it } from 'vitest'
import { readWorkflow } from './read'
import { eventWarnings, jobWarnings } from './warnings'

const steps = '    steps: [{ run: make }]'
const warningsOf = async (...lines: string[]) =>
  jobWarnings((await readWorkflow(`on: push\njobs:\n  a:\n    runs-on: x\n${lines.join('\n')}\n`)).jobs)

const noEnvironment =
  "The environment of job 'a' has no effect: no approval is asked for, and environments have no secrets and no variables."
const isTrue = `A condition in job 'a' is always true, because it has text outside of its \${{ }}.`

it.each([
  ['environment: live', `line 5, column 18: ${noEnvironment}`],
  [`environment: \${{ github.ref_name }}`, `line 5, column 18: ${noEnvironment}`],
  ['environment: { name: live }', `line 5, column 18: ${noEnvironment}`],
  [
    'timeout-minutes: 181',
    "line 5, column 22: Job 'a' ends after 3 hours, before its timeout of 181 minutes.",
  ],
  ['snapshot: image', "line 5, column 15: The snapshot of job 'a' is not created."],
  [`if: \${{ github.ref == 'x' }} && true`, `line 5, column 9: ${isTrue}`],
  [`if: "!\${{ false }}"`, `line 5, column 9: ${isTrue}`],
  [`if: "\${{ true }}\${{ false }}"`, `line 5, column 9: ${isTrue}`],
  [`if: "\${{ false }} "`, `line 5, column 9: ${isTrue}`],
])('a run shows what has no effect in a job: %s', async (line, warning) => {
  expect(await warningsOf(`    ${line}`, steps)).toEqual([warning])
})

it.each([
  "environment: ''",
  'timeout-minutes: 180',
  `timeout-minutes: \${{ fromJSON(vars.MINUTES) }}`,
  "if: github.ref == 'x'",
  `if: \${{ github.ref == 'x' }}`,
  `if: \${{ format('{0} {1}', github.ref, 'x') == 'a b' }}`,
  `name: On \${{ github.ref }}`,
])('a run shows no warning for a job with %s', async line => {
  expect(await warningsOf(`    ${line}`, steps)).toEqual([])
})

it('a run shows a warning for each condition of a job and its steps', async () => {
  const mixed = `if: \${{ true }} or`
  expect(
    await warningsOf(
      '    steps:',
      `      - ${mixed}`,
      '        run: make',
      `      - ${mixed}`,
      '        run: make',
      '    environment: live',
    ),
  ).toEqual([
    `line 10, column 18: ${noEnvironment}`,
    `line 6, column 13: ${isTrue}`,
    `line 8, column 13: ${isTrue}`,
  ])
})

const eventsOf = async (on: string) =>
  eventWarnings((await readWorkflow(`on: ${on}\njobs: { a: { runs-on: x, steps: [{ run: make }] } }`)).events)

it.each([
  [
    'pull_request',
    "line 1, column 5: 'pull_request' never happens on this site, so it does not start this workflow.",
  ],
  [
    '{ push: , issues: { types: opened }, fork: }',
    "line 1, column 15: 'issues' and 'fork' never happen on this site, so they do not start this workflow.",
  ],
  [
    '[fork, gollum, issues, label, milestone, page_build, public, push]',
    "line 1, column 6: 'fork', 'gollum', 'issues', 'label', 'milestone', and 2 more events never happen on this site, so they do not start this workflow.",
  ],
])('a run shows events that never happen here: %s', async (on, warning) => {
  expect(await eventsOf(on)).toEqual([warning])
})

it.each([
  '[create, delete, push, release, repository_dispatch, workflow_call, workflow_dispatch, workflow_run]',
  "{ schedule: [{ cron: '@daily' }] }",
  '[push, pusj]',
])('a run shows no warning for %s', async on => {
  expect(await eventsOf(on)).toEqual([])
})
