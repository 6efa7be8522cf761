// @module-tag series

import { isMapping } from '@actions/workflow-parser'
import { expect, it } from 'vitest'
import { oneOf, type Random, randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { createEvaluator, type Json } from './expressions'
import { type Combination, expandMatrix, MatrixEffort } from './matrix'
import { readWorkflow } from './read'
import { evaluateTemplate, type Reader, type Template } from './template'
import { templateOf } from './tokens'

const github = {
  ref: 'refs/heads/main',
  actor: "o'hara {0}",
  event: { size: 3, list: ['a', { b: null }] },
}
const reader = (): Reader => ({
  evaluate: createEvaluator(),
  contexts: { github, inputs: { flag: true } },
})

/** Value as a workflow says it, with what it is once its expressions are evaluated. */
type Made = { written: Json; value: Json }

// Expressions with the values that GitHub's documentation says.
const expressions: [string, Json][] = [
  ['github.ref', github.ref],
  ['github.actor', github.actor],
  ['github.event', github.event],
  ['github.event.list[1].b', null],
  ['github.nothing.at.all', null],
  ['inputs.flag', true],
  ['inputs.flag && 1 || 2', 1],
  [`'it''s }} a \${{ text'`, `it's }} a \${{ text`],
  ["''", ''],
  ['-1.5', -1.5],
  ['null', null],
  [`fromJSON('{"a":[1,{"b":"c"}]}')`, { a: [1, { b: 'c' }] }],
  ["format('{{{0}}}', github.event.size)", '{3}'],
]
const texts = [
  'a',
  '1',
  'true',
  '- b: c',
  "it's",
  '{0}',
  '}} {{',
  '# x',
  ' é\n\t"\\ ',
  '*a',
  '~',
  '$',
  '${ {',
]
const constants: Json[] = [null, true, false, 0, 7, -2.5, '', ...texts]

const countFrom = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1))

function makeValue(random: Random, depth = 0): Made {
  const kind = countFrom(random, 0, depth > 3 ? 2 : 4)
  const parts = Array.from({ length: countFrom(random, 0, 4) }, () =>
    kind > 2 ? makeValue(random, depth + 1) : makePart(random),
  )
  const mapped = (which: keyof Made): Json =>
    Object.fromEntries(parts.map((part, index) => [`k${index}`, part[which]]))
  if (kind === 3)
    return { written: parts.map(({ written }) => written), value: parts.map(({ value }) => value) }
  if (kind === 4) return { written: mapped('written'), value: mapped('value') }
  if (kind === 0) {
    const value = oneOf(random, constants)
    return { written: value, value }
  }
  const whole = makeExpression(random)
  if (kind === 1) return whole
  const all = [makePart(random), whole, { written: '.', value: '.' }, ...parts]
  return {
    written: all.map(({ written }) => written).join(''),
    value: all.map(({ value }) => textOf(value)).join(''),
  }
}

function makeExpression(random: Random): Made {
  const [expression, value] = oneOf(random, expressions)
  return { written: `\${{ ${expression} }}`, value }
}

function makePart(random: Random): Made {
  const text = oneOf(random, texts)
  return random() < 0.5 ? makeExpression(random) : { written: text, value: text }
}

const textOf = (value: Json): string => {
  if (Array.isArray(value)) return 'Array'
  return value === null ? '' : typeof value === 'object' ? 'Object' : String(value)
}

async function templateFor(value: Json): Promise<Template> {
  const document = {
    on: 'push',
    jobs: { a: { 'runs-on': 'x', strategy: { matrix: { v: value } }, steps: [] } },
  }
  const { jobs } = await readWorkflow(JSON.stringify(document))
  const strategy = jobs[0]?.strategy
  const matrix = strategy && isMapping(strategy) ? strategy.find('matrix') : undefined
  const vector = matrix && isMapping(matrix) ? matrix.find('v') : undefined
  if (!vector) throw new Error('the workflow has no vector')
  return templateOf(vector)
}

it('generated values have the same value before and after they are stored, whatever their expressions', async () => {
  for (let seed = 0; seed < series(15, 300); seed++) {
    const random = randomFrom(seed)
    const made = Array.from({ length: 10 }, () => makeValue(random))
    const template = await templateFor(made.map(({ written }) => written))
    const expected = made.map(({ value }) => value)
    expect(evaluateTemplate(reader(), template), `seed ${seed}`).toEqual(expected)
    const restored = JSON.parse(JSON.stringify(template))
    expect(evaluateTemplate(reader(), restored), `seed ${seed}`).toEqual(expected)
  }
})

const values: Json[] = [1, '1', 'a', 'A', true, null, '', 0, { n: 1, m: 'x' }, { n: '1' }, [1, 2], ['1']]
const keys = ['a', 'b', 'c']

const numberOf = (value: Json): number => (value === null ? 0 : Number(value))
function isSame(left: Json, right: Json): boolean {
  if (typeof left === 'object' && left) return false
  if (typeof left === 'string' && typeof right === 'string') return left.toUpperCase() === right.toUpperCase()
  return left === right || numberOf(left) === numberOf(right)
}

/** Paths and values of everything in a value that is neither a list nor a mapping. */
function leavesOf(value: Json, path: string[] = []): [string[], Json][] {
  if (value === null || typeof value !== 'object') return [[path, value]]
  return Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, key]))
}

const valueAt = (value: Json, path: readonly string[]): Json =>
  path.reduce<Json>(
    (at, key) => (at && typeof at === 'object' ? ((at as Combination)[key] ?? null) : null),
    value,
  )

const fits = (made: Combination, entry: Combination, own: readonly string[]): boolean =>
  leavesOf(entry).every(([path, leaf]) => !own.includes(path[0] ?? '') || isSame(valueAt(made, path), leaf))

/** Expands a matrix as GitHub documents it, step by step; undefined if nothing is left. */
function expandNaively(
  vectors: Record<string, Json[]>,
  include: Combination[],
  exclude: Combination[],
): { matrix: Combination; shown: Json[] }[] | undefined {
  const own = Object.keys(vectors)
  let rows: Combination[] = own.length > 0 ? [{}] : []
  for (const key of own) {
    const next: Combination[] = []
    for (const row of rows) for (const value of vectors[key] ?? []) next.push({ ...row, [key]: value })
    rows = next
  }
  rows = rows.filter(row => !exclude.some(entry => fits(row, entry, own)))
  const result = rows.map(row => ({ matrix: { ...row }, shown: own.map(key => row[key] as Json) }))
  for (const entry of include) {
    let isUsed = false
    for (const [index, row] of rows.entries()) {
      if (!fits(row, entry, own)) continue
      isUsed = true
      for (const [key, value] of Object.entries(entry))
        if (!own.includes(key)) (result[index] as { matrix: Combination }).matrix[key] = value
    }
    const sorted = Object.keys(entry).sort((a, b) => Number(own.includes(b)) - Number(own.includes(a)))
    if (!isUsed) result.push({ matrix: { ...entry }, shown: sorted.map(key => entry[key] as Json) })
  }
  return result.length > 0 ? result : undefined
}

it('generated matrices have the combinations and names that GitHub documents', () => {
  for (let seed = 0; seed < series(1500, 20_000); seed++) {
    const random = randomFrom(seed)
    const own = keys.slice(0, countFrom(random, 0, 3))
    const some = (from: number): Json[] =>
      Array.from({ length: countFrom(random, from, 3) }, () => oneOf(random, values))
    const entryOf = (known: readonly string[]): Combination =>
      Object.fromEntries(
        Array.from({ length: countFrom(random, 1, 3) }, () => [oneOf(random, known), oneOf(random, values)]),
      )
    const entries = (known: readonly string[]): Combination[] =>
      known.length > 0 ? Array.from({ length: countFrom(random, 0, 3) }, () => entryOf(known)) : []
    const vectors = Object.fromEntries(own.map(key => [key, some(1)]))
    const [include, exclude] = [entries([...own, 'd', 'e']), entries(own)]
    const template: Template = {
      entries: Object.entries({ ...vectors, include, exclude }).map(([key, value]) => [key, { value }]),
    }
    const expected = expandNaively(vectors, include, exclude)
    const text = `seed ${seed}: ${JSON.stringify({ ...vectors, include, exclude })}`
    const expand = () => expandMatrix(reader(), template, new MatrixEffort())
    if (expected) expect(expand(), text).toEqual(expected)
    else expect(expand, text).toThrow('The matrix has no combinations.')
  }
})
