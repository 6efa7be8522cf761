import type { JobTemplate, Template } from '@/db/tables/workflow-templates'
import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { type Contexts, type Evaluate, type Json, storable, textOf } from './expressions'

export type { Template }

/** Evaluator with the contexts that expressions at one position of a workflow can read. */
export interface Reader {
  evaluate: Evaluate
  contexts: Contexts
}

/**
 * Returns the value of a template with its expressions evaluated.
 * @throws {DomainError} unprocessable with the position of an expression that cannot be evaluated.
 */
export function evaluateTemplate(reader: Reader, template: Template): Json {
  if ('value' in template) return template.value
  if ('items' in template) return template.items.map(item => evaluateTemplate(reader, item))
  if ('entries' in template)
    return Object.fromEntries(template.entries.map(([key, value]) => [key, evaluateTemplate(reader, value)]))
  const { expression } = template
  try {
    return reader.evaluate(expression, reader.contexts)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw refusalAt(template, `The expression '${shortened(expression)}' fails: ${shortened(problem, 500)}.`)
  }
}

/**
 * Returns the text of a template with its expressions evaluated.
 * @throws {DomainError} as `evaluateTemplate`, and unprocessable if the value is a list or a mapping.
 */
export function textAt(reader: Reader, template: Template, what: string): string {
  const value = evaluateTemplate(reader, template)
  if (value === null || typeof value !== 'object') return textOf(value)
  const kind = Array.isArray(value) ? 'list' : 'mapping'
  throw refusalAt(template, `${what} must be text, but ${sourceOf(template)} is a ${kind}.`)
}

/**
 * Returns the entries of a mapping, which can be the value of one expression.
 * @throws {DomainError} as `evaluateTemplate`, and unprocessable if it is not a mapping.
 */
export function entriesOf(reader: Reader, template: Template, what: string): [string, Template][] {
  if ('entries' in template) return template.entries
  const value = evaluateTemplate(reader, template)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw refusalAt(template, `${what} must be a mapping.`)
  return Object.entries(value).map(([key, each]) => [
    key,
    { value: each, ...(template.at && { at: template.at }) },
  ])
}

/**
 * Returns the items of a list, which can be the value of one expression.
 * @throws {DomainError} as `evaluateTemplate`, and unprocessable if it is not a list.
 */
export function itemsOf(reader: Reader, template: Template, what: string): Json[] {
  const value = evaluateTemplate(reader, template)
  if (Array.isArray(value)) return value
  throw refusalAt(template, `${what} must be a list.`)
}

/** Returns all expressions in a template, one per line. */
export function expressionsIn(template: Template | undefined): string {
  if (!template || 'value' in template) return ''
  if ('expression' in template) return `${template.expression}\n`
  const parts = 'items' in template ? template.items : template.entries.map(([, value]) => value)
  return parts.map(expressionsIn).join('')
}

/** Returns all expressions of a job except its condition, one per line. */
export const expressionsOfJob = ({ call, ...own }: JobTemplate): string =>
  [own.name, own.runsOn, own.strategy, own.continueOnError, own.concurrency, own.environment]
    .concat(call?.with, call?.secrets)
    .map(expressionsIn)
    .join('')

/** Returns a template as a person would write it, shortened, for messages and before it is evaluated. */
export function sourceOf(template: Template): string {
  if ('expression' in template) return `\${{ ${shortened(template.expression)} }}`
  return 'value' in template ? textOf(template.value) : ''
}

/** Creates the error for a workflow that cannot be used, with the position of its mistake. */
export const refusalAt = ({ at }: { at?: string }, message: string): DomainError =>
  unprocessable(storable(at ? `${at}: ${message}` : message), { field: 'workflow' })

const shortened = (text: string, most = 100): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
