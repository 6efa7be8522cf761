import { isMapping as isMappingToken, isSequence } from '@actions/workflow-parser'
import type { MappingToken, TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import { type Json, storable } from './expressions'
import { inputTexts, isMapping, textOf } from './input-texts'
import { parseModest } from './limits'
import { requireYaml } from './mistakes'
import { at, refusal } from './refusal'

const inputTypes = ['string', 'boolean', 'number', 'choice', 'environment'] as const

/** Input that people fill in when they start a workflow. */
export interface DispatchInput {
  name: string
  type: (typeof inputTypes)[number]
  description: string
  required: boolean
  /** Empty if the input has no default. */
  default: string
  /** Options of a `choice` input; empty for other types. */
  options: string[]
}

/**
 * Returns the inputs of a workflow; undefined if people cannot start it.
 * @throws {DomainError} unprocessable if the document is not YAML or has no "on".
 */
export function dispatchInputs(document: string): DispatchInput[] | undefined {
  const modest = parseModest(document)
  requireYaml(modest)
  const workflow: unknown = modest.parsed.toJS()
  if (!isMapping(workflow)) throw refusal(undefined, 'The workflow has no "on".')
  const { on } = workflow
  if (on === 'workflow_dispatch' || (Array.isArray(on) && on.includes('workflow_dispatch'))) return []
  if (!isMapping(on) || !Object.hasOwn(on, 'workflow_dispatch')) return undefined
  const { workflow_dispatch: event } = on
  const inputs = isMapping(event) && isMapping(event.inputs) ? event.inputs : {}
  return Object.entries(inputs).map(([name, found]) => {
    const input = isMapping(found) ? found : {}
    return {
      name: storable(name),
      type: inputTypes.find(type => type === input.type) ?? 'string',
      description: textOf(input.description),
      required: String(input.required) === 'true',
      default: textOf(input.default),
      options: Array.isArray(input.options) ? input.options.map(textOf) : [],
    }
  })
}

/** Returns the mistakes, with line and column, in the inputs of `on.workflow_dispatch`. */
export function inputMistakes(event: TemplateToken): string[] {
  const inputs = isMappingToken(event) ? event.find('inputs') : undefined
  if (!inputs || !isMappingToken(inputs)) return []
  return [...inputs].flatMap(({ key, value }) =>
    isMappingToken(value) ? mistakesOf(key.toString(), value) : [],
  )
}

function mistakesOf(name: string, input: MappingToken): string[] {
  const mistakes: string[] = []
  const check = (token: TemplateToken | undefined, isRight: boolean, message: string): void => {
    if (token && !isRight) mistakes.push(at(token, message))
  }
  const [type, required, preset, options] = ['type', 'required', 'default', 'options'].map(key =>
    input.find(key),
  )
  const kind = type?.toString() ?? 'string'
  const text = preset?.toString() ?? ''
  check(required, isFlag(required?.toString()), `\`required\` for the input '${name}' must be true or false.`)
  if (kind === 'boolean')
    check(preset, isFlag(text), `The default for the boolean input '${name}' must be true or false.`)
  if (kind === 'number')
    check(
      preset,
      text.trim() !== '' && !Number.isNaN(Number(text)),
      `The default for the number input '${name}' must be a number.`,
    )
  if (kind === 'choice')
    check(
      input,
      options !== undefined && isSequence(options) && options.count > 0,
      `The choice input '${name}' must have options.`,
    )
  else
    check(
      options,
      false,
      `Only inputs of type choice can have options; the input '${name}' is of type ${kind}.`,
    )
  return mistakes
}

const isFlag = (text: string | undefined): boolean => text === 'true' || text === 'false'

/**
 * Returns the `inputs` context of a run: the values that it was started with. As on GitHub, only those of type
 * `boolean` are not text.
 */
export function inputsOf(document: string, payload: Record<string, unknown>): Record<string, Json> {
  const texts = Object.entries(inputTexts(payload))
  if (texts.length === 0) return {}
  const types = new Map(dispatchInputs(document)?.map(({ name, type }) => [name, type]))
  return Object.fromEntries(
    texts.map(([name, text]) => [name, types.get(name) === 'boolean' ? text === 'true' : text]),
  )
}
