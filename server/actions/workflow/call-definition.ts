import { isLiteral, isMapping, isSequence } from '@actions/workflow-parser'
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import { storable } from './expressions'
import type { Template } from './template'
import { templateOf } from './tokens'

/** Input of a reusable workflow. */
export interface CallInput {
  name: string
  type: 'string' | 'boolean' | 'number'
  required: boolean
  default?: Template
}

/** What a reusable workflow takes and returns. */
export interface CallDefinition {
  inputs: CallInput[]
  secrets: { name: string; required: boolean }[]
  outputs: Record<string, Template>
}

/** Reads `on.workflow_call`; undefined if the workflow does not have it. */
export function callDefinitionOf(on: TemplateToken | undefined): CallDefinition | undefined {
  if (!on) return undefined
  if (!isMapping(on)) {
    const names = (isSequence(on) ? [...on] : [on]).filter(isLiteral).map(String)
    return names.includes('workflow_call') ? { inputs: [], secrets: [], outputs: {} } : undefined
  }
  const event = [...on].find(({ key }) => key.toString() === 'workflow_call')
  if (!event) return undefined
  return {
    inputs: entriesIn(event.value, 'inputs').map(([name, input]) => {
      const [type, required, preset] = ['type', 'required', 'default'].map(key => valueIn(input, key))
      const kind = type?.toString()
      return {
        name,
        type: kind === 'boolean' || kind === 'number' ? kind : 'string',
        required: required?.toString() === 'true',
        ...(preset && { default: templateOf(preset) }),
      }
    }),
    secrets: entriesIn(event.value, 'secrets').map(([name, secret]) => ({
      name: name.toUpperCase(),
      required: valueIn(secret, 'required')?.toString() === 'true',
    })),
    outputs: Object.fromEntries(
      entriesIn(event.value, 'outputs').flatMap(([name, output]) => {
        const value = valueIn(output, 'value')
        return value ? [[name, templateOf(value)]] : []
      }),
    ),
  }
}

const valueIn = (token: TemplateToken | undefined, name: string): TemplateToken | undefined =>
  token && isMapping(token) ? token.find(name) : undefined

function entriesIn(token: TemplateToken | undefined, name: string): [string, TemplateToken][] {
  const entries = valueIn(token, name)
  if (!entries || !isMapping(entries)) return []
  return [...entries].map(({ key, value }) => [storable(key.toString()), value])
}
