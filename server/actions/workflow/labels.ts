import { type Json, textOf } from './expressions'
import { maxLabels, maxNameLength } from './run-limits'
import { entriesOf, evaluateTemplate, type Reader, refusalAt, sourceOf, type Template } from './template'

/** Requirements of a job on its runner. */
export interface Routing {
  labels: string[]
  /** Group that the runner must be in; null if any will do. */
  runner_group: string | null
}

/**
 * Evaluates the `runs-on` of a job. A list that an expression returns within a list is flattened. Nothing that
 * comes out empty is left out, because the job would run on another machine than the workflow says.
 * @throws {DomainError} unprocessable naming the expression that is empty or cannot be evaluated.
 */
export function routingOf(reader: Reader, runsOn: Template, job: string): Routing {
  const value = 'items' in runsOn || 'entries' in runsOn ? undefined : evaluateTemplate(reader, runsOn)
  if (!('entries' in runsOn) && !isMapping(value))
    return { labels: labelsOf(reader, runsOn, job), runner_group: null }
  const entries = new Map(entriesOf(reader, runsOn, `The runs-on value of job '${job}'`))
  const [group, labels] = [entries.get('group'), entries.get('labels')]
  if (!group && !labels)
    throw refusalAt(runsOn, `The runs-on value of job '${job}' names neither labels nor a group.`)
  return {
    labels: labels ? labelsOf(reader, labels, job) : [],
    runner_group: group ? wordOf(reader, group, `The runner group of job '${job}'`) : null,
  }
}

function labelsOf(reader: Reader, template: Template, job: string): string[] {
  const what = `A label of job '${job}'`
  const parts = 'items' in template ? template.items : [template]
  const labels = parts.flatMap(part => {
    const value = evaluateTemplate(reader, part)
    return (Array.isArray(value) ? value : [value]).map(each => wordIn(each, part, what))
  })
  if (labels.length === 0)
    throw refusalAt(template, `The runs-on value of job '${job}' has no labels${from(template)}.`)
  if (labels.length <= maxLabels) return [...new Set(labels)]
  throw refusalAt(template, `The runs-on value of job '${job}' has more than ${maxLabels} labels.`)
}

const wordOf = (reader: Reader, template: Template, what: string): string =>
  wordIn(evaluateTemplate(reader, template), template, what)

function wordIn(value: Json, template: Template, what: string): string {
  const text = textOf(value).trim()
  if (value !== null && typeof value === 'object')
    throw refusalAt(template, `${what} must be text${from(template)}.`)
  if (text === '') throw refusalAt(template, `${what} is empty${from(template)}.`)
  if (text.length <= maxNameLength) return text
  throw refusalAt(template, `${what} has more than ${maxNameLength} characters.`)
}

const from = (template: Template): string => {
  const source = sourceOf(template)
  return 'expression' in template ? `: ${source}` : ''
}

const isMapping = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
