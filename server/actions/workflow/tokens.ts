import { isBasicExpression, isLiteral, isMapping, isSequence } from '@actions/workflow-parser'
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import { type Json, storable } from './expressions'
import { positionOf, refusal } from './refusal'
import type { Template } from './template'

/**
 * Converts a part of a parsed workflow to plain data.
 * @throws {DomainError} unprocessable with the position of a value that cannot be used here.
 */
export function templateOf(token: TemplateToken): Template {
  const at = positionOf(token)
  const made = convert(token)
  return at ? { ...made, at } : made
}

function convert(token: TemplateToken): Template {
  if (isBasicExpression(token)) return { expression: storable(token.expression) }
  if (isSequence(token)) {
    const items = [...token].map(partOf)
    return items.every(isConstant) ? { value: items.map(({ value }) => value) } : { items }
  }
  if (isMapping(token)) {
    const entries = [...token].map(({ key, value }): [string, Template] => [
      storable(key.toString()),
      partOf(value),
    ])
    return { entries }
  }
  if (!isLiteral(token)) throw refusal(token, 'Expected a value here.')
  const value = token.toJSON() as Json
  return { value: typeof value === 'string' ? storable(value) : value }
}

// Only what can be wrong keeps its position, because templates are stored with each job.
function partOf(token: TemplateToken): Template {
  return isLiteral(token) && !isBasicExpression(token) ? convert(token) : templateOf(token)
}

const isConstant = (template: Template): template is { value: Json } => 'value' in template
