import { isLiteral, isMapping, isSequence, isString } from '@actions/workflow-parser'
import type { MappingToken, TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import { mistakeIn, type Schedule } from './cron'
import { inputMistakes } from './inputs'
import type { EventMistake } from './mistakes'
import { at } from './refusal'

const filterKeys = [
  'branches',
  'branches-ignore',
  'tags',
  'tags-ignore',
  'paths',
  'paths-ignore',
  'types',
  'workflows',
] as const

/** Filters of an event by their keys in `on`; those that the workflow does not have are absent. */
export type Filters = Partial<Record<(typeof filterKeys)[number], string[]>>

/** What the `on` of a workflow says. */
export interface Events {
  /** Filters of each event that starts the workflow, by the name of the event. */
  filters: ReadonlyMap<string, Filters>
  schedules: Schedule[]
  /** Mistakes with line and column, each of which keeps only its event from starting the workflow. */
  mistakes: EventMistake[]
  /** Events of GitHub that never happen on this site, where they are in the file. */
  unsupported: TemplateToken[]
}

// In addition to those that start runs here, `workflow_call` is an event that only jobs cause.
const supported = new Set([
  'create',
  'delete',
  'push',
  'release',
  'repository_dispatch',
  'schedule',
  'workflow_call',
  'workflow_dispatch',
  'workflow_run',
])

/**
 * Reads the `on` of a workflow that matches GitHub's schema except for the given mistakes. An event or schedule
 * with a mistake is left out.
 */
export function readEvents(on: TemplateToken | undefined, found: readonly EventMistake[]): Events {
  const filters = new Map<string, Filters>()
  const schedules: Schedule[] = []
  const mistakes = [...found]
  const isWrong = (event: string, entry?: number): boolean =>
    found.some(each => each.event === event && (each.entry === undefined || each.entry === entry))

  const entries = entriesOf(on)
  for (const [key, value] of entries) {
    const event = key.toString()
    if (event === 'schedule') {
      for (const [entry, token] of (value && isSequence(value) ? [...value] : []).entries()) {
        if (isWrong(event, entry) || !isMapping(token)) continue
        const schedule = scheduleOf(token)
        const mistake = mistakeIn(schedule)
        if (mistake) mistakes.push({ event, message: at(token, mistake) })
        else schedules.push(schedule)
      }
      continue
    }
    const own = event === 'workflow_dispatch' && value ? inputMistakes(value) : exclusions(event, value)
    mistakes.push(...own.map(message => ({ event, message })))
    if (own.length === 0 && !isWrong(event)) filters.set(event, filtersOf(value))
  }
  const names = new Set(found.map(({ event }) => event))
  const unsupported = entries
    .map(([key]) => key)
    .filter(key => !supported.has(key.toString()) && !names.has(key.toString()))
  return { filters, schedules, mistakes, unsupported }
}

/** Whether anything can start a workflow on this site, or another workflow can call it. */
export const canStart = ({ filters, schedules }: Events): boolean =>
  schedules.length > 0 || [...filters.keys()].some(event => supported.has(event))

function entriesOf(on: TemplateToken | undefined): [TemplateToken, TemplateToken | undefined][] {
  if (!on) return []
  if (isMapping(on)) return [...on].map(({ key, value }) => [key, value])
  return (isSequence(on) ? [...on] : [on]).filter(isLiteral).map(token => [token, undefined])
}

function exclusions(event: string, value: TemplateToken | undefined): string[] {
  const keys = value && isMapping(value) ? [...value].map(({ key }) => key) : []
  return keys.flatMap(key => {
    const name = key.toString()
    const isBoth = keys.some(other => `${other}-ignore` === name)
    return isBoth
      ? [at(key, `on.${event} has both ${name.replace(/-ignore$/, '')} and ${name}. Use one.`)]
      : []
  })
}

function filtersOf(value: TemplateToken | undefined): Filters {
  const filters: Filters = {}
  for (const { key, value: patterns } of value && isMapping(value) ? value : []) {
    const name = filterKeys.find(each => each === key.toString())
    if (name) filters[name] = (isSequence(patterns) ? [...patterns] : [patterns]).map(String)
  }
  return filters
}

function scheduleOf(entry: MappingToken): Schedule {
  const text = (name: string): string | undefined => {
    const token = entry.find(name)
    return token && isString(token) ? token.value : undefined
  }
  return { cron: text('cron') ?? '', timezone: text('timezone') ?? 'UTC' }
}
