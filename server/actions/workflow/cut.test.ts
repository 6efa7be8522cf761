import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseWorkflow, payloadOf, stepNames } from './cut'

const workflow = `
# A comment
name: CI
on:
  push:
  workflow_dispatch:
concurrency: one
env: { MODE: 0755, PYTHON: 3.10, EMPTY: , QUOTED: "" }
x-common: &common
  shell: bash
defaults: { run: *common }
jobs:
  build:
    name: Build on \${{ matrix.os }}
    strategy:
      fail-fast: false
      matrix: { os: [a, b], version: [3.10, 4] }
    runs-on: \${{ matrix.os }}
    outputs: { url: "\${{ steps.one.outputs.url }}" }
    steps:
      - id: one
        run: |
          echo "a: b" # no comment
            indented

          done
      - name: Check out
        uses: actions/checkout@v4
      - uses: ./local
        with: { path: x }
      -
  other:
    runs-on: x
    if: failure() && needs.build.result == 'failure'
    needs: [build]
    steps: []
`

it('payloadOf keeps one job with one combination of its matrix, and everything else as it was written', () => {
  const parsed = parseWorkflow(workflow)
  const text = payloadOf(
    parsed,
    { job_key: 'build', matrix: { os: '1.0', version: 3.1, extra: { deep: [null, true] } } },
    { labels: ['gpu', '0x10'], name: 'not used' },
  )
  expect(text).toContain('MODE: 0755, PYTHON: 3.10')
  expect(text).not.toContain('&')
  expect(parse(text)).toEqual({
    name: 'CI',
    on: { push: null, workflow_dispatch: null },
    env: { MODE: 755, PYTHON: 3.1, EMPTY: null, QUOTED: '' },
    defaults: { run: { shell: 'bash' } },
    jobs: {
      build: {
        name: `Build on \${{ matrix.os }}`,
        strategy: {
          'fail-fast': false,
          matrix: { os: ['1.0'], version: [3.1], extra: [{ deep: [null, true] }] },
        },
        'runs-on': ['gpu', '0x10'],
        if: 'always()',
        outputs: { url: `\${{ steps.one.outputs.url }}` },
        steps: [
          { id: 'one', run: 'echo "a: b" # no comment\n  indented\n\ndone\n' },
          { name: 'Check out', uses: 'actions/checkout@v4' },
          { uses: './local', with: { path: 'x' } },
          null,
        ],
      },
    },
  })
})

it('payloadOf is not affected by earlier jobs of the same workflow', () => {
  const parsed = parseWorkflow(workflow)
  payloadOf(parsed, { job_key: 'build', matrix: { os: 'a' } }, { labels: ['a'], name: 'CI' })
  expect(
    parse(payloadOf(parsed, { job_key: 'other', matrix: null }, { labels: [], name: 'CI' })),
  ).toMatchObject({
    jobs: { other: { 'runs-on': [], if: 'always()', needs: ['build'], steps: [] } },
  })
  expect(
    parse(payloadOf(parsed, { job_key: 'build', matrix: null }, { labels: [], name: 'CI' })),
  ).toMatchObject({
    jobs: { build: { strategy: { matrix: { os: ['a', 'b'] } } } },
  })
})

it('stepNames names steps as GitHub does', () => {
  expect(stepNames(parseWorkflow(workflow), 'build')).toEqual([
    'Run echo "a: b" # no comment',
    'Check out',
    'Run ./local',
    'Run',
  ])
  expect(stepNames(parseWorkflow(''), 'build')).toEqual([])
})

it('stepNames cuts long names between characters and removes those that the database rejects', () => {
  const document = `jobs: { build: { steps: [{ name: "a\\0b" }, { run: "${'😀'.repeat(300)}" }] } }`
  const [first, second = ''] = stepNames(parseWorkflow(document), 'build')
  expect(first).toBe('ab')
  expect(second).toBe(`Run ${'😀'.repeat(250)}…`)
})
