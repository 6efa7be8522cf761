import type { Group } from '@/db/tables/workflow-templates'
import { storable } from './expressions'
import { maxGroupLength } from './run-limits'
import {
  entriesOf,
  evaluateTemplate,
  type Reader,
  refusalAt,
  sourceOf,
  type Template,
  textAt,
} from './template'

/**
 * Evaluates the `concurrency` of a workflow or job.
 * @throws {DomainError} unprocessable with the position of an expression that fails, of an empty name, or of
 * settings that exclude each other.
 */
export function groupOf(reader: Reader, template: Template, of: string): Group {
  const value = 'entries' in template ? undefined : evaluateTemplate(reader, template)
  const isText = value === null || (value !== undefined && typeof value !== 'object')
  if (isText) return { name: nameOf(reader, template, of), cancels: false, queues: false }
  const entries = new Map(entriesOf(reader, template, `The concurrency of ${of}`))
  const [group, cancel, queue] = ['group', 'cancel-in-progress', 'queue'].map(key => entries.get(key))
  if (!group) throw refusalAt(template, `The concurrency of ${of} has no group.`)
  const cancels = cancel ? flagOf(reader, cancel) : false
  const queues = (queue ? textAt(reader, queue, 'The concurrency queue') : 'single') === 'max'
  if (cancels && queues)
    throw refusalAt(template, `The concurrency of ${of} has both cancel-in-progress and queue: max.`)
  return { name: nameOf(reader, group, of), cancels, queues }
}

function nameOf(reader: Reader, template: Template, of: string): string {
  const name = storable(textAt(reader, template, `The concurrency group of ${of}`)).trim()
  if (name === '')
    throw refusalAt(template, `The concurrency group of ${of} is empty: ${sourceOf(template) || "''"}.`)
  if (name.length <= maxGroupLength) return name
  throw refusalAt(template, `The concurrency group of ${of} has more than ${maxGroupLength} characters.`)
}

function flagOf(reader: Reader, template: Template): boolean {
  const value = evaluateTemplate(reader, template)
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  if (value === null || value === '') return false
  throw refusalAt(template, `cancel-in-progress must be true or false: ${sourceOf(template)}.`)
}

/** Returns the name by which a repository's runs and jobs share a group; as on GitHub, case does not matter. */
export const keyOf = ({ name }: Pick<Group, 'name'>): string => name.toLowerCase()
