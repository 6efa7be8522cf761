import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '@/server/kernel/metrics'
import { root } from './run.mjs'

const read = (name: string): Promise<string> => readFile(join(root, 'docs/grafana', name), 'utf8')

/** Returns the names of all series, including those that appear with the first backup. */
async function knownSeries(): Promise<Set<string>> {
  const metrics = createMetrics()
  metrics.observeBackups({ hasFailed: false, durationSeconds: 1, completeAt: new Date(), sizeBytes: 1 })
  const types = [...(await metrics.read()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

const seriesIn = (text: string): string[] => [...new Set(text.match(/\bguildhall_\w+/g))]

it.each(['dashboard.json', 'alerts.yml'])('docs/grafana/%s uses only metrics that exist', async name => {
  const known = await knownSeries()
  const used = seriesIn(await read(name))
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter(each => !known.has(each))).toEqual([])
})

it('the dashboard has panels with different IDs and queries, and each alert says what is wrong', async () => {
  const { panels } = JSON.parse(await read('dashboard.json'))
  expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length)
  for (const { targets } of panels) expect(targets.every(({ expr }: { expr: string }) => expr)).toBe(true)
  const { groups } = parse(await read('alerts.yml'))
  for (const { alert, annotations } of groups[0].rules) expect(annotations.summary, alert).toMatch(/\.$/)
})
