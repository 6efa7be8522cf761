import { isBasicExpression, isLiteral, isMapping, isNumber, isSequence } from '@actions/workflow-parser'
import type { MappingToken, TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import type { Events } from './events'
import type { OwnJob } from './read'
import { at } from './refusal'

/** Maximum duration of a job in minutes. */
const maxMinutes = 180

/** Returns which events never start the workflow because this site does not have them, as one message or none. */
export function eventWarnings({ unsupported }: Events): string[] {
  if (unsupported.length === 0) return []
  const names = unsupported.slice(0, maxNames).map(event => `'${event}'`)
  const isMany = unsupported.length > 1
  if (unsupported.length > maxNames) names.push(`${unsupported.length - maxNames} more events`)
  const text = `${new Intl.ListFormat('en-US').format(names)} never ${isMany ? 'happen' : 'happens'} on this site`
  return [at(unsupported[0], `${text}, so ${isMany ? 'they do' : 'it does'} not start this workflow.`)]
}

const maxNames = 5

/** Returns what has no effect in the jobs of a workflow, with line and column. */
export const jobWarnings = (jobs: readonly OwnJob[]): string[] =>
  jobs.flatMap(({ id, written }) => {
    const all = [ofEnvironment, ofTimeout, ofSnapshot].map(warn => warn(written, id.value))
    return [...all.filter(warning => warning !== undefined), ...ofConditions(written, id.value)]
  })

type Warn = (job: MappingToken, id: string) => string | undefined

const ofEnvironment: Warn = (job, id) => {
  const environment = job.find('environment')
  const isNone = environment && isLiteral(environment) && environment.toString() === ''
  if (!environment || isNone) return undefined
  return at(
    environment,
    `The environment of job '${id}' has no effect: no approval is asked for, and environments have no secrets and no variables.`,
  )
}

const ofTimeout: Warn = (job, id) => {
  const timeout = job.find('timeout-minutes')
  if (!timeout || !isNumber(timeout) || timeout.value <= maxMinutes) return undefined
  return at(timeout, `Job '${id}' ends after 3 hours, before its timeout of ${timeout.value} minutes.`)
}

const ofSnapshot: Warn = (job, id) => {
  const snapshot = job.find('snapshot')
  return snapshot && at(snapshot, `The snapshot of job '${id}' is not created.`)
}

function ofConditions(job: MappingToken, id: string): string[] {
  const steps = job.find('steps')
  return [job, ...(steps && isSequence(steps) ? steps : [])]
    .map(part => (isMapping(part) ? part.find('if') : undefined))
    .flatMap(condition => (condition && isMixed(condition) ? condition : []))
    .map(mixed =>
      at(mixed, `A condition in job '${id}' is always true, because it has text outside of its \${{ }}.`),
    )
}

// The parser joins texts and expressions by a call of `format`, and keeps the expressions.
const isMixed = (token: TemplateToken): boolean =>
  isBasicExpression(token) && token.originalExpressions !== undefined
