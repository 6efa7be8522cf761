import { expect, it } from 'vitest'
import { readWorkflow } from './read'
import { jobWarnings } from './warnings'

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

it('a run shows one warning of each kind for a job, including its steps', async () => {
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
  ).toEqual([`line 10, column 18: ${noEnvironment}`, `line 6, column 13: ${isTrue}`])
})
