import type { Call } from '@/db/tables/workflow-templates'
import type { CallDefinition, CallInput } from './call-definition'
import { type Contexts, createEvaluator, type Json, textOf } from './expressions'
import { shownMistakes } from './mistakes'
import { evaluateTemplate, refusalAt } from './template'

/**
 * Returns the inputs of a reusable workflow for a call, with defaults, converted to their types.
 * @throws {DomainError} unprocessable with the position of the call and the first mistakes, if inputs or secrets are
 * unknown, missing or of the wrong type.
 */
export function callInputs(definition: CallDefinition, call: Call, contexts: Contexts): Record<string, Json> {
  const reader = { evaluate: createEvaluator(), contexts }
  const mistakes = unknownNames('input', Object.keys(call.inputs), definition.inputs)
  const inputs: [string, Json][] = []
  for (const input of definition.inputs) {
    const { name, required, type } = input
    const isPassed = Object.hasOwn(call.inputs, name)
    const value = isPassed ? call.inputs[name] : input.default && evaluateTemplate(reader, input.default)
    if (value !== undefined) {
      const converted = typed(input, value)
      if ('mistake' in converted) mistakes.push(converted.mistake)
      else inputs.push([name, converted.value])
    } else if (required) mistakes.push(`The reusable workflow requires the input '${name}'.`)
    else inputs.push([name, emptyOf[type]])
  }
  mistakes.push(...secretMistakes(definition, call))
  if (mistakes.length > 0) throw refusalAt(call, mistakes.slice(0, shownMistakes).join('\n'))
  return Object.fromEntries(inputs)
}

const emptyOf = { string: '', boolean: false, number: 0 } as const

function typed({ name, type }: CallInput, value: Json): { value: Json } | { mistake: string } {
  if (type === 'string' && (value === null || typeof value !== 'object')) return { value: textOf(value) }
  if (typeof value === type) return { value }
  const hint = typeof value === 'string' && type !== 'string' ? ' Use fromJSON to convert text.' : ''
  return { mistake: `The input '${name}' of the reusable workflow must be a ${type}.${hint}` }
}

function secretMistakes({ secrets }: CallDefinition, call: Call): string[] {
  if (call.inherits) return []
  const passed = secretNamesOf(call)
  const missing = secrets.filter(({ name, required }) => required && !passed.includes(name))
  return [
    ...unknownNames('secret', passed, secrets),
    ...missing.map(({ name }) => `The reusable workflow requires the secret '${name}'.`),
  ]
}

/** Returns the names of the secrets that a call passes, in capitals. */
export const secretNamesOf = ({ secrets }: Call): string[] =>
  secrets && 'entries' in secrets ? secrets.entries.map(([name]) => name.toUpperCase()) : []

function unknownNames(what: string, names: readonly string[], known: readonly { name: string }[]): string[] {
  const unknown = names.filter(name => !known.some(each => each.name === name))
  return unknown.map(name => `The reusable workflow has no ${what} '${name}'.`)
}
