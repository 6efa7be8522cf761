import type { Call } from '@/db/tables/workflow-templates'
import type { CallDefinition, CallInput } from './call-definition'
import { type Contexts, createEvaluator, type Json, textOf } from './expressions'
import { evaluateTemplate, refusalAt } from './template'

/**
 * Returns the inputs of a reusable workflow for a call, with defaults, converted to their types.
 * @throws {DomainError} unprocessable with the position of the call, if an input or secret is unknown, missing
 * or of the wrong type.
 */
export function callInputs(definition: CallDefinition, call: Call, contexts: Contexts): Record<string, Json> {
  requireKnown(call, 'input', Object.keys(call.inputs), definition.inputs)
  requireSecrets(definition, call)
  const reader = { evaluate: createEvaluator(), contexts }
  return Object.fromEntries(
    definition.inputs.map(input => {
      const value = Object.hasOwn(call.inputs, input.name) ? call.inputs[input.name] : undefined
      if (value !== undefined) return [input.name, typed(call, input, value)]
      if (input.default) return [input.name, typed(call, input, evaluateTemplate(reader, input.default))]
      if (input.required) throw refusalAt(call, `The reusable workflow requires the input '${input.name}'.`)
      return [input.name, emptyOf[input.type]]
    }),
  )
}

const emptyOf = { string: '', boolean: false, number: 0 } as const

function typed(call: Call, { name, type }: CallInput, value: Json): Json {
  if (type === 'string' && (value === null || typeof value !== 'object')) return textOf(value)
  if (typeof value === type) return value
  const hint = typeof value === 'string' && type !== 'string' ? ' Use fromJSON to convert text.' : ''
  throw refusalAt(call, `The input '${name}' of the reusable workflow must be a ${type}.${hint}`)
}

function requireSecrets({ secrets }: CallDefinition, call: Call): void {
  if (call.inherits) return
  const passed = secretNamesOf(call)
  requireKnown(call, 'secret', passed, secrets)
  const missing = secrets.find(({ name, required }) => required && !passed.includes(name))
  if (missing) throw refusalAt(call, `The reusable workflow requires the secret '${missing.name}'.`)
}

/** Returns the names of the secrets that a call passes, in capitals. */
export const secretNamesOf = ({ secrets }: Call): string[] =>
  secrets && 'entries' in secrets ? secrets.entries.map(([name]) => name.toUpperCase()) : []

function requireKnown(
  call: Call,
  what: string,
  names: readonly string[],
  known: readonly { name: string }[],
): void {
  const unknown = names.find(name => !known.some(each => each.name === name))
  if (unknown !== undefined) throw refusalAt(call, `The reusable workflow has no ${what} '${unknown}'.`)
}
