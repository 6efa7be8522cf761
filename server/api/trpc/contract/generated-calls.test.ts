import { expect, it } from 'vitest'
import { z } from 'zod'
import { appRouter } from '@/server/api/root'
import { Browser, type BrowserAnswer, signIn } from '@/testing/browser'
import { hostileTexts, hostileValues } from '@/testing/hostile'
import { newKey } from '@/testing/keys'
import { dealt, oneOf, type Random, randomFrom } from '@/testing/random'
import { giveRepository, makeWorld, type World } from '@/testing/role-world'
import { series } from '@/testing/series'
import { mount, useSite } from '@/testing/site'

// To run longer: GUILDHALL_TEST_CALLS=20000 GUILDHALL_TEST_SEED=7 npx vitest run server/api/trpc/contract/generated-calls.test.ts
const calls = Number(process.env.GUILDHALL_TEST_CALLS ?? series(100, 420))
const seed = Number(process.env.GUILDHALL_TEST_SEED ?? 1)
const lanes = 4
// The data is recreated regularly, because the calls delete and rename objects.
const callsPerWorld = 75
const slowMs = 5000

const site = useSite()

interface Procedure {
  name: string
  isQuery: boolean
  inputs: Schema[]
}

// The part of JSON Schema that procedure inputs use.
interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxLength?: number
}

// Plain Next runs the same procedures.
it.skipIf(mount === 'next')(
  `at least ${calls} generated calls (seed ${seed}) to all page procedures in all roles never cause a server error or a hang`,
  { tags: 'series', timeout: 60_000 + calls * 200 },
  async () => {
    const seen = { statuses: new Map<number, number>(), failures: [] as string[], slowestMs: 0, slowest: '' }
    const drawn = dealt(randomFrom(seed), everyProcedure(), calls)
    const lane = async (index: number) => {
      const random = randomFrom(seed * lanes + index)
      const own = drawn.filter((_, position) => position % lanes === index)
      for (let done = 0; done < own.length; done += callsPerWorld) {
        const world = await makeWorld(site)
        await giveRepository(site, world)
        const browsers = await openBrowsers(world)
        for (const procedure of own.slice(done, done + callsPerWorld)) {
          const [role, browser] = oneOf(random, browsers)
          const input = inputOf(random, procedure, world)
          const started = performance.now()
          const answer = procedure.isQuery
            ? await browser.query(procedure.name, input)
            : await browser.mutate(procedure.name, input)
          const ms = performance.now() - started
          const reported = `${role}: ${procedure.name} ${JSON.stringify(input)}`.slice(0, 600)
          if (!isWellFormed(answer)) seen.failures.push(`${reported}\n${answer.status} ${answer.text}`)
          expect(ms, reported).toBeLessThan(slowMs)
          seen.statuses.set(answer.status, (seen.statuses.get(answer.status) ?? 0) + 1)
          if (ms > seen.slowestMs) Object.assign(seen, { slowestMs: ms, slowest: reported })
        }
      }
    }
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
    if (process.env.GUILDHALL_TEST_CALLS) {
      const statuses = JSON.stringify(Object.fromEntries([...seen.statuses].sort(([a], [b]) => a - b)))
      process.stdout.write(
        `seed ${seed}, ${calls} calls: ${statuses}; slowest ${Math.round(seen.slowestMs)} ms: ${seen.slowest}\n`,
      )
    }
    expect(seen.failures).toEqual([])
    expect(seen.statuses.get(200)).toBeGreaterThan(calls / 10)
  },
)

function everyProcedure(): Procedure[] {
  const procedures = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: string; inputs: z.ZodType[] } }
  >
  return Object.entries(procedures)
    .filter(([, { _def }]) => _def.type !== 'subscription')
    .map(([name, { _def }]) => ({
      name,
      isQuery: _def.type === 'query',
      inputs: _def.inputs.map(
        input => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema,
      ),
    }))
}

async function openBrowsers(world: World): Promise<[string, Browser][]> {
  const people = await Promise.all(
    Object.entries(world.people).map(
      async ([role, person]) => [role, await signIn(site, person)] as [string, Browser],
    ),
  )
  return [['anonymous', new Browser(site)], ...people]
}

// The contract requires this failure for a team without units.
const documentedFailure = 'units permission should not be empty'

function isWellFormed({ status, error }: BrowserAnswer): boolean {
  if (status >= 500) return status === 500 && error?.message === documentedFailure
  return status < 400 || /\S/.test(error?.message ?? '')
}

/** Returns one value for all inputs of a procedure, each of which reads only its own fields. */
function inputOf(random: Random, { inputs }: Procedure, world: World): unknown {
  if (inputs.length === 0) return undefined
  if (random() < 0.03) return oneOf(random, hostileValues)
  const values = inputs.map(schema => madeUpValue(random, '', schema, world))
  return Object.assign({}, ...values.filter(value => typeof value === 'object'))
}

/** Returns a value that is mostly valid for a field, by its schema and the objects in the world. */
function madeUpValue(random: Random, name: string, schema: Schema, world: World): unknown {
  if (name && random() < 0.04)
    return oneOf(random, [...hostileTexts.map(text => text.toWellFormed()), ...hostileValues])
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return oneOf(random, schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return madeUpValue(random, name, oneOf(random, choices), world)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map(part => madeUpValue(random, name, part, world)))
  if (schema.properties) {
    const { properties, required = [] } = schema
    const kept = Object.entries(properties).filter(([key]) => required.includes(key) || random() < 0.4)
    return Object.fromEntries(kept.map(([key, field]) => [key, madeUpValue(random, key, field, world)]))
  }
  if (schema.type === 'array')
    return Array.from({ length: Math.floor(random() * 3) }, () =>
      madeUpValue(random, name, schema.items ?? {}, world),
    )
  if (schema.type === 'boolean') return random() < 0.5
  if (schema.type === 'null') return null
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(random, name, world)
  return textOf(random, name, schema, world)
}

function numberOf(random: Random, name: string, world: World): unknown {
  const ids = Object.entries(world.values).flatMap(([, value]) => (typeof value === 'number' ? [value] : []))
  if (/id$/i.test(name) && random() < 0.8) return oneOf(random, ids)
  return oneOf(random, [0, 1, 2, 50, -1, 1e15])
}

function textOf(random: Random, name: string, { maxLength = 300 }: Schema, world: World): unknown {
  const fresh = `x${Math.floor(random() * 1e9).toString(36)}`
  const people = [world.colleague, world.stranger, ...Object.values(world.people)]
  const known: Record<string, unknown> = {
    ...world.values,
    key: newKey().text,
    email: `${fresh}@example.test`,
    username: oneOf(random, people).name,
    login: oneOf(random, people).name,
    // A known user's password, so that procedures that require it sometimes succeed.
    password: oneOf(random, people).password,
    current_password: oneOf(random, people).password,
    url: 'http://127.0.0.1:9/',
    cursor: '1',
  }
  if (random() < 0.7 && known[name] !== undefined) return known[name]
  return oneOf(random, [fresh, '', 'main', '2026-11-21', 'x'.repeat(Math.min(maxLength, 300))])
}
